# SPDX-License-Identifier: Apache-2.0
"""Weir's registers by the names that its generator gave them (Weir.rdl)."""

from __future__ import annotations

import functools
from pathlib import Path

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode


@functools.cache
def compiled(rdl: Path) -> AddrmapNode:
    """The register map of a config. ValueError for a file that is damaged; what is wrong in it goes to stderr."""
    compiler = RDLCompiler()
    try:
        compiler.compile_file(str(rdl))
        return compiler.elaborate().top
    except RDLCompileError as error:
        raise ValueError(f"{rdl}: is no SystemRDL: {error}") from None


@functools.cache
def _fields(rdl: Path) -> dict[str, tuple[RegNode, FieldNode]]:
    top = compiled(rdl)
    return {
        node.get_rel_path(top): (node.parent, node)
        for node in top.descendants(unroll=True)
        if isinstance(node, FieldNode)
    }


def full(name: str) -> str:
    """`REGISTER.FIELD` of a name; `REGISTER` alone means its field `value`."""
    return name if "." in name else f"{name}.value"


def words(rdl: Path, fields: dict[str, int]) -> list[tuple[int, int]]:
    """Byte offsets and 32-bit words that set fields by their names (`full`); the other fields of these registers get
    their reset values. ValueError for a field that is unknown, not writable, too narrow or named twice."""
    known = _fields(rdl)
    found: dict[int, int] = {}
    named = set()
    for name, value in fields.items():
        path = full(name)
        if path not in known:
            raise ValueError(f"{rdl}: there is no register field {path}")
        register, field = known[path]
        if path in named:
            raise ValueError(f"{rdl}: {path} is named twice")
        named.add(path)
        if not field.is_sw_writable:
            raise ValueError(f"{rdl}: {path} cannot be written")
        if not 0 <= value < 1 << field.width:
            raise ValueError(f"{rdl}: {path} = {value}: must be 0 to {(1 << field.width) - 1}")
        word = found.setdefault(
            register.absolute_address, sum(each.get_property("reset") << each.low for each in register.fields())
        )
        mask = (1 << field.width) - 1 << field.low
        found[register.absolute_address] = word & ~mask | value << field.low
    return list(found.items())
