# SPDX-License-Identifier: Apache-2.0
"""What a simulated SoC with emulated NVM holds in its memory before the first cycle."""

import struct
from itertools import islice

MAIN_RAM = 0x8000_0000
FIRMWARE = 0x20_0000
"""Of the program, as of all places here from the first byte of memory."""
WORKLOAD_IN_DRAM, WORKLOAD_IN_NVM = 64 << 20, (1024 + 64) << 20
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
