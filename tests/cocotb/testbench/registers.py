# SPDX-License-Identifier: Apache-2.0
"""Weir's registers by name, over AXI4-Lite; the names are those of the config's SystemRDL."""

from functools import cache
from pathlib import Path

from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from cocotbext.axi.constants import AxiResp
from systemrdl import RDLCompiler
from systemrdl.node import FieldNode, RegNode

from testbench.policies import Policies


@cache
def _describe(rdl: Path) -> tuple[Policies, dict[str, RegNode]]:
    """What software may set and the registers by their names, for all tests of a simulation: reading a SystemRDL takes
    as long as thousands of clock cycles."""
    compiler = RDLCompiler()
    compiler.compile_file(str(rdl))
    top = compiler.elaborate().top
    nodes = {node.get_rel_path(top): node for node in top.descendants(unroll=True) if isinstance(node, RegNode)}
    return Policies(top), nodes


class Registers:
    """Reads and writes registers and their fields.

    A name is `register` or `register.field`, as in `tRCD` or `water_marks.high`; a register in an array carries its
    indices, as in `source_rank[1][0].read_hits`.
    """

    def __init__(self, dut, rdl: Path):
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clock, dut.reset)
        self.policies, self.nodes = _describe(rdl)

    def offset(self, name: str) -> int:
        """Byte offset of a register."""
        return self.nodes[name].absolute_address

    async def read_at(self, offset: int) -> tuple[int, AxiResp]:
        """The word at a byte offset, and its response."""
        answer = await self.axil.read(offset, 4)
        return int.from_bytes(answer.data, "little"), answer.resp

    async def write_at(self, offset: int, value: int) -> AxiResp:
        """Writes a word and gives its response."""
        return (await self.axil.write(offset, value.to_bytes(4, "little"))).resp

    async def read(self, name: str) -> int:
        """The value of a register or a field; must be answered OKAY."""
        register, field = self._find(name)
        value, response = await self.read_at(register.absolute_address)
        assert response == AxiResp.OKAY, f"reading {name} was answered {response.name}"
        return value if field is None else value >> field.low & (1 << field.width) - 1

    async def write(self, name: str, value: int) -> None:
        """Sets a register, or a field beside which the register's others stay; must be answered OKAY."""
        response = await self.try_write(name, value)
        assert response == AxiResp.OKAY, f"writing {value} to {name} was answered {response.name}"

    async def try_write(self, name: str, value: int) -> AxiResp:
        """As write, but gives the response."""
        register, field = self._find(name)
        if field is not None:
            rest = await self.read(register.inst_name if register.parent is None else name.rsplit(".", 1)[0])
            value = rest & ~((1 << field.width) - 1 << field.low) | value << field.low
        return await self.write_at(register.absolute_address, value)

    def _find(self, name: str) -> tuple[RegNode, FieldNode | None]:
        if name in self.nodes:
            return self.nodes[name], None
        register, _, field = name.rpartition(".")
        node = self.nodes[register]
        return node, next(each for each in node.fields() if each.inst_name == field)
