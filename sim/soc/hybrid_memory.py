# SPDX-License-Identifier: Apache-2.0
"""What a simulated SoC with emulated NVM holds in its memory before the first cycle."""

import struct

MAIN_RAM = 0x8000_0000
FIRMWARE = 0x20_0000
"""Of the program, as of all places here from the first byte of memory."""
WORKLOAD_IN_DRAM, WORKLOAD_IN_NVM = 64 << 20, (1024 + 64) << 20
SUPERPAGES, PAGES, LINES = 16, 512, 64
LINE_BYTES = 64


def tags():
    """Word of each line of the workload, in order; as sw/firmware/policies/workload.h has it."""
    for number in range(1, SUPERPAGES * PAGES * LINES + 1):
        yield (number * 0x9E3779B1 & 0xFFFF_FFFF) << 32


def workload():
    """What lies in the workload's superpages, in DRAM and in NVM alike: the tag of each line, and zeros."""
    blank = bytes(LINE_BYTES - 8)
    return b"".join(struct.pack("<Q", word) + blank for word in tags())


def write_images(firmware, folder):
    """Write into `folder` what the memory holds; returns a list of (file, bus address)."""
    program, filled = folder / "firmware.bin", folder / "workload.bin"
    program.write_bytes(firmware)
    filled.write_bytes(workload())
    places = [(program, FIRMWARE), (filled, WORKLOAD_IN_DRAM), (filled, WORKLOAD_IN_NVM)]
    return [(file, MAIN_RAM + place) for file, place in places]
