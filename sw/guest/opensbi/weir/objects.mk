# SPDX-License-Identifier: Apache-2.0
# How OpenSBI is built for Weir's SoC (addresses: sw/guest/machine/layout.py)

PLATFORM_RISCV_XLEN = 64
PLATFORM_RISCV_ABI = lp64
PLATFORM_RISCV_ISA = rv64imac_zicsr_zifencei

# The device tree is the machine's own and well formed: libfdt need not check each step.
platform-cflags-y = -DFDT_ASSUME_MASK=255
platform-objs-y += platform.o

FW_TEXT_START = 0x80100000
FW_DYNAMIC = n
FW_PAYLOAD = n
FW_JUMP = y
FW_JUMP_ADDR = 0x80200000
# Linked to where it runs, so that it need not move itself.
FW_PIE = n
# No banner: what is printed costs cycles.
FW_OPTIONS = 1
