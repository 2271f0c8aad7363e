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

FIRST = 0x400
"""Offset of the first counter; they lie without gaps behind it."""
BYTES = 8


class Layout(NamedTuple):
    """Offsets of the register that latches all counters and of the first counter, and the names of the counters in
    order, such as `rank[1].activates`."""

    latch: int
    first: int
    names: list[str]


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
    names = []
    while (low := named.get(FIRST + BYTES * len(names), "")).endswith("_low"):
        names.append(low.removesuffix("_low"))
        if named.get(FIRST + BYTES * len(names) - BYTES // 2) != f"{names[-1]}_high":
            raise ValueError(f"{rdl}: {low} has no upper half behind it")
    if not names:
        raise ValueError(f"{rdl}: has no counter at {FIRST:#x}")
    return Layout(latch, FIRST, names)
