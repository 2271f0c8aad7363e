# SPDX-License-Identifier: Apache-2.0
"""Where things lie in the SoC's memory when the harts start. Addresses are physical, sizes are in bytes."""

DRAM = 0x8000_0000
"""Start of DRAM. The BIOS's memory test overwrites the first 8 KiB."""

MEMORY_BYTES = 128 << 20
"""What Linux is told of from the start of DRAM, where its ranks are not ranges of addresses."""

RANK_BYTES = 64 << 20
"""What Linux is told of each rank, from its start, where they are: a section of its page map
(RISCV_SECTION_BITS in sw/linux-patches/6.12/weir.config). What lacks of a section it initialises page by page, which
takes longer than what is there."""

FRAME_BYTES = 16 << 20
"""What of DRAM is for pages of NVM that live there, at its end: as many frames as soc-64-hybrid has states for."""

PERSISTENT_BYTES = 2 << 20
"""What of NVM is persistent memory, /dev/pmem0: the least that Linux takes."""

DEVICE_TREE = 0x8008_0000
"""SOC.dtb; sw/guest/opensbi/weir/platform.c looks for it here."""

FIRMWARE = 0x8010_0000
"""fw_jump.bin, where all harts start; sw/guest/opensbi/weir/objects.mk links it to here."""

FIRMWARE_BYTES = 0x10_0000
"""What OpenSBI may use; it protects a part of it from Linux."""

KERNEL = 0x8020_0000
"""Image, which OpenSBI jumps to (objects.mk again)."""

INITRAMFS = 0x8200_0000
"""initramfs.cpio"""
