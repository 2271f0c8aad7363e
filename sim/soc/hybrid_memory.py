# SPDX-License-Identifier: Apache-2.0
"""What a simulated SoC with emulated NVM holds in its memory before the first cycle."""

import struct
from itertools import islice

MAIN_RAM = 0x8000_0000
FIRMWARE = 0x20_0000
"""Of the program, as of all places here from the first byte of memory."""
WORKLOAD_IN_DRAM, WORKLOAD_IN_NVM = 64 << 20, (1024 + 64) << 20
POINTERS = 1024 << 20
SUPERPAGES, PAGES, LINES = 16, 512, 64
LINE_BYTES = 64

# The DRAM model's own addresses go through all ranks from row to row, as the default map does; the map of a config with
# NVM has the rank on top. Both go through all banks of a row first: so many bytes.
_ROW_BYTES = 8 * 8192
_RANKS, _RANK_BYTES = 2, 1 << 30


def model_address(place):
    """The DRAM model's address of a byte of memory."""
    rank, byte = divmod(place, _RANK_BYTES)
    row, rest = divmod(byte, _ROW_BYTES)
    return (row * _RANKS + rank) * _ROW_BYTES + rest


def tags():
    """Word of each line of the workload, in order; as sw/firmware/policies/workload.h has it."""
    for number in range(1, SUPERPAGES * PAGES * LINES + 1):
        yield (number * 0x9E3779B1 & 0xFFFF_FFFF) << 32


def image(firmware):
    """A file of the memory from the program on, in the order of the model, and where it begins, as a bus address."""
    begin = model_address(FIRMWARE)
    if len(firmware) > _ROW_BYTES:
        raise ValueError(
            f"the program has {len(firmware)} bytes: must be at most {_ROW_BYTES}, what lies together in the model"
        )
    content = bytearray(model_address(WORKLOAD_IN_NVM + SUPERPAGES * PAGES * LINES * LINE_BYTES - 1) + 1 - begin)
    content[: len(firmware)] = firmware
    blank = bytes(LINE_BYTES - 8)
    words = tags()
    for offset in range(0, SUPERPAGES * PAGES * LINES * LINE_BYTES, _ROW_BYTES):
        lines = b"".join(struct.pack("<Q", word) + blank for word in islice(words, _ROW_BYTES // LINE_BYTES))
        for workload in (WORKLOAD_IN_DRAM, WORKLOAD_IN_NVM):
            at = model_address(workload + offset) - begin
            content[at : at + _ROW_BYTES] = lines
    return bytes(content), MAIN_RAM + begin


def after_cut(memory, firmware, chance):
    """A file of the memory from its first byte on, in the order of the model, as a boot after a power cut finds it: NVM
    as it was, noise in DRAM, and there the program."""
    content = bytearray(memory)
    for at in range(0, len(content), _RANKS * _ROW_BYTES):
        content[at : at + _ROW_BYTES] = chance.randbytes(_ROW_BYTES)
    begin = model_address(FIRMWARE)
    content[begin : begin + len(firmware)] = firmware
    return bytes(content)


def _homes(memory):
    """The workload's superpages in NVM, row after row."""
    for offset in range(0, SUPERPAGES * PAGES * LINES * LINE_BYTES, _ROW_BYTES):
        at = model_address(WORKLOAD_IN_NVM + offset)
        yield memory[at : at + _ROW_BYTES]


def lost_lines(memory):
    """Lines of the workload's homes that do not hold their tag, or anything behind their one word."""
    words, lost = tags(), 0
    lines = _ROW_BYTES // LINE_BYTES
    for row in _homes(memory):
        expected = b"".join(struct.pack("<Q", word)[4:] for word in islice(words, lines))
        # byte for byte of all lines of a row, and line for line only where one is lost
        columns = [expected[byte::4] for byte in range(4)] + [bytes(lines)] * (LINE_BYTES - 8)
        if all(row[4 + byte :: LINE_BYTES] == column for byte, column in enumerate(columns)):
            continue
        lost += sum(
            any(row[LINE_BYTES * line + 4 + byte] != column[line] for byte, column in enumerate(columns))
            for line in range(lines)
        )
    return lost


def pointers(memory):
    """Valid entries of the table, by the number of the page in the region; of the workload's pages."""
    first, pages = (WORKLOAD_IN_NVM - POINTERS) // 4096, SUPERPAGES * PAGES
    begin = model_address(POINTERS + 8 * first)
    # the entries fill a row, and lie together
    entries = struct.unpack_from(f"<{pages}Q", memory, begin)
    return {first + number: entry & (1 << 52) - 1 for number, entry in enumerate(entries) if entry >> 63}


def with_homes_of(memory, other):
    """As if nothing had ever been written home: the workload in NVM as another file has it."""
    content = bytearray(memory)
    for offset in range(0, SUPERPAGES * PAGES * LINES * LINE_BYTES, _ROW_BYTES):
        at = model_address(WORKLOAD_IN_NVM + offset)
        content[at : at + _ROW_BYTES] = other[at : at + _ROW_BYTES]
    return bytes(content)


def without_a_page(memory):
    """As if the first page of the workload, a hot one, had been lost."""
    at = model_address(WORKLOAD_IN_NVM)
    return memory[:at] + bytes(4096) + memory[at + 4096 :]
