# SPDX-License-Identifier: Apache-2.0
"""The register map of Weir as PeakRDL's input tells it, for tests of what Linux makes of it."""

import struct
from dataclasses import dataclass, field
from pathlib import Path

from systemrdl import RDLCompiler
from systemrdl.node import RegNode

ROOT = Path(__file__).resolve().parents[4]
RDL = ROOT / "build" / "hw" / "soc-64" / "Weir.rdl"
BYTES = 0x2000
"""Size of the register map."""


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


def image(values):
    """The bytes of a register map with `values` {offset: value of 32 bits} and zero elsewhere."""
    data = bytearray(BYTES)
    for offset, value in values.items():
        struct.pack_into("<I", data, offset, value)
    return bytes(data)
