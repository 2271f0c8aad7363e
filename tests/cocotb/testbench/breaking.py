# SPDX-License-Identifier: Apache-2.0
"""Breaks how pages move, in the way that WEIR_FAULT names, so that tests show that they watch it."""

import os
from collections.abc import Callable

import cocotb
from cocotb.triggers import FallingEdge

from testbench.tb import TB


def break_moves(tb: TB) -> None:
    """Holds registers of the mover at other values from now on.

    unlocked: the lines that are being copied are open to accesses
    unwritten: what was written is taken to be in memory at once
    half_copied: a page is taken to be copied when its first lines are
    """
    name = os.environ.get("WEIR_FAULT", "none")
    if name == "none":
        return
    weir = tb.dut.weir
    sequence, fence = weir.mover.sequence_0, weir.channels_0.fence
    lines = 4096 // tb.config.line_bytes

    def unlocked() -> None:
        sequence.lockedUntil.value = sequence.done.value

    def unwritten() -> None:
        fence.marked.value = 0

    def half_copied() -> None:
        if int(sequence.base.value) == 4:
            sequence.base.value = lines - 4

    faults: dict[str, Callable[[], None]] = {
        "unlocked": unlocked,
        "unwritten": unwritten,
        "half_copied": half_copied,
    }
    change = faults[name]

    async def hold() -> None:
        while True:
            await FallingEdge(tb.dut.clock)
            change()

    cocotb.start_soon(hold())
