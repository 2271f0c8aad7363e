# SPDX-License-Identifier: Apache-2.0
"""The register map of Weir as PeakRDL's input tells it, and what the registers hold, for tests of what Linux makes of
it."""

import struct
from dataclasses import dataclass, field
from pathlib import Path

from systemrdl import RDLCompiler
from systemrdl.node import RegNode

ROOT = Path(__file__).resolve().parents[3]
RDL = ROOT / "build" / "hw" / "soc-64" / "Weir.rdl"
HYBRID_RDL = ROOT / "build" / "hw" / "soc-64-hybrid" / "Weir.rdl"
BYTES = 0x10000
"""Size of the register map."""
ROW_RANK_BANK_COLUMN = {"column": (3, 10), "bank": (13, 3), "rank": (16, 1), "row": (17, 14)}
"""Lowest address bit and number of bits of each part of soc-64's memory, above the 8 bytes of the data bus: with this
map QEMU's memory is in both ranks."""
PROGRAMMABLE = 5
"""Number of the map that software makes of masks."""


@dataclass
class Register:
    """Name (as `rank[1].activates_low`), byte offset, fields {name: (lowest bit, bits)} and reset value."""

    name: str
    offset: int
    fields: dict = field(default_factory=dict)
    reset: int = 0


def read(path=RDL):
    """{name: Register} of the SystemRDL file `path`; blocks of registers are taken apart."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    top = compiler.elaborate().top
    registers = {}
    for node in top.descendants(in_post_order=False, unroll=True):
        if not isinstance(node, RegNode):
            continue
        register = Register(node.get_path().removeprefix(top.inst_name + "."), node.absolute_address)
        for each in node.fields():
            register.fields[each.inst_name] = (each.low, each.width)
            register.reset |= (each.get_property("reset") or 0) << each.low
        registers[register.name] = register
    return registers


def after_reset(registers, parts=ROW_RANK_BANK_COLUMN, changes=None):
    """The values {offset: word} after reset with the address map `parts`, and those of `changes` {name: word}."""
    values = {each.offset: each.reset for each in registers.values()}
    values[registers["address_map"].offset] = PROGRAMMABLE
    for part, (lowest, bits) in parts.items():
        for bit in range(bits):
            values[registers[f"map_{part}[{bit}].mask_low"].offset] = 1 << (lowest + bit)
    values.update({registers[name].offset: word for name, word in (changes or {}).items()})
    return values


def with_fields(registers, name, **fields):
    """The reset value of register `name`, with other values in some fields."""
    word = registers[name].reset
    for each, value in fields.items():
        low, bits = registers[name].fields[each]
        word = word & ~((1 << bits) - 1 << low) | value << low
    return word


def image(values):
    """The bytes of a register map with `values` {offset: value of 32 bits} and zero elsewhere."""
    data = bytearray(BYTES)
    for offset, value in values.items():
        struct.pack_into("<I", data, offset, value)
    return bytes(data)
