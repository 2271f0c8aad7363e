# SPDX-License-Identifier: Apache-2.0
"""Refuse RISC-V programs that need an FPU, which Rocket's harts here do not have.

    no_fpu.py PROGRAM...

Decodes the length and the opcode of every instruction in the executable sections, by the tables of the RISC-V
unprivileged ISA (20240411, chapter 34), and checks the ABI that the ELF header names. Exit code 1 when a program needs
one, 2 when it is no such program.
"""

import struct
import sys
from pathlib import Path

MACHINE_RISCV = 243
FLAG_FLOAT_ABI = 0x6  # of e_flags: which registers pass floating-point arguments
SECTION_NOBITS = 8
SECTION_EXECUTABLE = 0x4
# Bits 6:0 of instructions of 32 bits: LOAD-FP, STORE-FP, MADD, MSUB, NMSUB, NMADD, OP-FP
OPCODES = {0b0000111, 0b0100111, 0b1000011, 0b1000111, 0b1001011, 0b1001111, 0b1010011}
OPCODE_SYSTEM = 0b1110011
FLOAT_CSRS = {0x001, 0x002, 0x003}  # fflags, frm, fcsr
# Bits 15:13 and 1:0 of instructions of 16 bits, RV64: C.FLD, C.FSD, C.FLDSP, C.FSDSP
COMPRESSED = {(0b001, 0b00), (0b101, 0b00), (0b001, 0b10), (0b101, 0b10)}


class Refused(Exception):
    """Not a program that can be judged."""


def executable_sections(data):
    """(address, bytes) of each section with code."""
    if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", data, 18)[0] != MACHINE_RISCV:
        raise Refused("not a little-endian 64-bit RISC-V ELF file")
    table, size, count = (*struct.unpack_from("<Q", data, 40), *struct.unpack_from("<HH", data, 58))
    for number in range(count):
        _, kind, flags, address, offset, length = struct.unpack_from("<IIQQQQ", data, table + number * size)
        if flags & SECTION_EXECUTABLE and kind != SECTION_NOBITS:
            yield address, data[offset : offset + length]


def needs_fpu(instruction):
    """Whether the instruction, at least its first 16 bits, is one of F, D, Q or Zfh or uses their status."""
    if instruction & 0b11 != 0b11:
        return (instruction >> 13 & 0b111, instruction & 0b11) in COMPRESSED
    if instruction & 0x7F == OPCODE_SYSTEM:
        return instruction >> 12 & 0b11 != 0 and instruction >> 20 & 0xFFF in FLOAT_CSRS
    return instruction & 0x7F in OPCODES


def first_use(data):
    """What in the program needs an FPU, or None."""
    if not (sections := list(executable_sections(data))):
        raise Refused("no section with code")
    if struct.unpack_from("<I", data, 48)[0] & FLAG_FLOAT_ABI:
        return "its ABI passes floating-point arguments in registers"
    for address, code in sections:
        at = 0
        while at + 2 <= len(code):
            length = 4 if code[at] & 0b11 == 0b11 else 2
            instruction = int.from_bytes(code[at : at + length], "little")
            if needs_fpu(instruction):
                return f"instruction {instruction:#0{2 + 2 * length}x} at {address + at:#x}"
            at += length
    return None


def main(paths):
    if not paths:
        print("usage: no_fpu.py PROGRAM...", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        try:
            use = first_use(Path(path).read_bytes())
        except (OSError, Refused) as problem:
            print(f"no_fpu: {path}: {getattr(problem, 'strerror', None) or problem}", file=sys.stderr)
            return 2
        if use:
            print(f"no_fpu: {path} needs an FPU: {use}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
