# SPDX-License-Identifier: Apache-2.0
"""The decoder of the capture against GNU's disassembler, on every instruction of riscv64's libc."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
DUMP = ROOT / "build" / "lab" / "registers_dump"
LIBC = Path("/usr/riscv64-linux-gnu/lib/libc.so.6")

LINE = re.compile(r"^ *[0-9a-f]+:\t([0-9a-f]{4}|[0-9a-f]{8}) +\t(\S+)(?:\t(.*))?$", re.MULTILINE)
REGISTER = re.compile(r"\bx(\d+)\b")

NOTHING_WRITTEN = {"c.j", "c.jr", "c.beqz", "c.bnez", "c.nop", "c.ebreak", "fence", "fence.i", "ecall", "ebreak"}
BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu"}
ONLY_WRITTEN = {"lui", "auipc", "jal", "jalr", "c.lui", "c.li", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"}
STORES = {"sb", "sh", "sw", "sd", "fsw", "fsd", "c.sw", "c.sd", "c.fsd", "c.swsp", "c.sdsp", "c.fsdsp"}
LOADS = {"lb", "lh", "lw", "ld", "lbu", "lhu", "lwu", "c.lw", "c.ld", "c.lwsp", "c.ldsp"}
FLOAT_LOADS = {"flw", "fld", "c.fld", "c.fldsp"}
TWO_IN_ONE = {"c.addi", "c.addiw", "c.slli", "c.srli", "c.srai", "c.andi", "c.addi16sp"}
BOTH = {"c.add", "c.sub", "c.and", "c.or", "c.xor", "c.addw", "c.subw"}
FROM_FLOATS = re.compile(r"(feq|flt|fle|fclass|fmv\.x|fcvt\.(w|wu|l|lu)\.)")


def expected(name, operands):
    """(written, sources, address, load) by the words of the disassembler."""
    registers = [int(number) for number in REGISTER.findall(operands)]
    if name.startswith(("lr.", "sc.", "amo")):
        return registers[0], set(), registers[-1], True
    if name in NOTHING_WRITTEN or name in BRANCHES:
        return 0, set(), 0, False
    if name == "c.jalr":
        return 1, set(), 0, False
    if name in ONLY_WRITTEN:
        return registers[0], set(), 0, False
    if name in STORES:
        return 0, set(), registers[-1], False
    if name in LOADS:
        return registers[0], set(), registers[-1], True
    if name in FLOAT_LOADS:
        return 0, set(), registers[-1], True
    if name in TWO_IN_ONE:
        return registers[0], {registers[0]}, 0, False
    if name in BOTH:
        return registers[0], set(registers[:2]), 0, False
    if name.startswith("f"):
        return (registers[0] if FROM_FLOATS.match(name) else 0), set(), 0, False
    return registers[0], set(registers[1:]), 0, False


@pytest.fixture(scope="module")
def instructions():
    """{bits: (name, operands)} of libc."""
    command = ["riscv64-linux-gnu-objdump", "-d", "-M", "no-aliases,numeric", LIBC]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {int(bits, 16): (name, re.split("[#<]", operands)[0]) for bits, name, operands in LINE.findall(listing)}


def test_every_instruction_of_libc_is_read_as_the_disassembler_reads_it(instructions):
    assert len(instructions) > 20_000
    words = "".join(f"{bits:x}\n" for bits in instructions)
    told = subprocess.run([DUMP], input=words, capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = []
    for (bits, (name, operands)), line in zip(instructions.items(), told, strict=True):
        if name.startswith((".", "unimp", "c.unimp")):
            continue
        written, source1, source2, address, load = (int(word) for word in line.split())
        found = written, {source1, source2} - {0}, address, bool(load)
        wanted = expected(name, operands)
        if found != (wanted[0], wanted[1] - {0}, *wanted[2:]):
            wrong.append(f"{bits:08x} {name} {operands}: {found}, wanted {wanted}")
    assert wrong == []
