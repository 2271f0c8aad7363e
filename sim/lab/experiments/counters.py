# SPDX-License-Identifier: Apache-2.0
"""Weir's counters by the names that its generator gave them (Weir.rdl, docs/counters.md)."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import NamedTuple

from systemrdl.node import RegNode

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))
import registers

FIRST = 0x1000
"""Offset from which on there is nothing but counters."""
BYTES = 8


class Layout(NamedTuple):
    """Offset of the register that latches all counters, those of the counters, and their names, such as
    `rank[1].activates`."""

    latch: int
    offsets: list[int]
    names: list[str]

    @property
    def option(self) -> str:
        """Of the lab, LATCH:FIRST:COUNT,FIRST:COUNT,...: the counters that lie without gaps together."""
        starts = [at for at, offset in enumerate(self.offsets) if at == 0 or offset != self.offsets[at - 1] + BYTES]
        ends = [*starts[1:], len(self.offsets)]
        ranges = (f"{self.offsets[start]:#x}:{end - start}" for start, end in zip(starts, ends, strict=True))
        return f"{self.latch:#x}:{','.join(ranges)}"


@functools.cache
def layout(rdl: Path) -> Layout:
    """Of a config. ValueError for one whose counters are not where they should be."""
    top = registers.compiled(rdl)
    named = {
        node.absolute_address: node.get_rel_path(top)
        for node in top.descendants(unroll=True)
        if isinstance(node, RegNode)
    }
    latch = next((address for address, name in named.items() if name == "counters_latch"), None)
    if latch is None:
        raise ValueError(f"{rdl}: has no counters")
    offsets = sorted(offset for offset, name in named.items() if offset >= FIRST and name.endswith("_low"))
    names = [named[offset].removesuffix("_low") for offset in offsets]
    for offset, name in zip(offsets, names, strict=True):
        if named.get(offset + BYTES // 2) != f"{name}_high":
            raise ValueError(f"{rdl}: {name}_low has no upper half behind it")
    if not names:
        raise ValueError(f"{rdl}: has no counter from {FIRST:#x} on")
    return Layout(latch, offsets, names)
