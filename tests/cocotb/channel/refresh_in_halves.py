# SPDX-License-Identifier: Apache-2.0
"""Refreshes in parts of 2x, by a DDR4 DRAM in on-the-fly mode with the part's own tRFC2."""

from testbench import TB, test
from testbench.refreshing import ADAPTIVE, FINE, PAUSING, WHOLE, change_at_random, gaps, is_part, refreshes
from testbench.traffic import conflicts_without_pause

X2 = 1


@test()
async def fine_refreshes_come_twice_as_often(tb: TB):
    await tb.registers.write("refresh_granularity", X2)
    await tb.registers.write("refresh_policy", FINE)
    tb.dfi.start()
    half = tb.in_cycles(tb.timing["tREFI"]) / 2
    async with conflicts_without_pause(tb):
        await tb.cycles(int(6 * half))
    for rank in range(tb.config.ranks):
        parts = [command for command in refreshes(tb, rank) if is_part(tb, command)]
        assert len(parts) >= 5
        assert all(abs(gap - half) < 80 for gap in gaps(parts)[1:]), f"rank {rank}: {gaps(parts)}"


@test()
async def policies_change_at_any_time(tb: TB):
    beyond = (PAUSING,) if tb.config.beyond_jedec else ()
    await change_at_random(tb, (*WHOLE, FINE, FINE, ADAPTIVE, *beyond), (0, X2, X2), 40)
