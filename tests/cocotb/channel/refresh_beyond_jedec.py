# SPDX-License-Identifier: Apache-2.0
"""Refreshes that no real part can do: parts without recovery time, of DDR3 too, with pauses between them."""

from testbench import TB, test
from testbench.refreshing import (
    ADAPTIVE,
    FINE,
    PAUSING,
    WHOLE,
    change_at_random,
    gaps,
    is_part,
    refreshes,
    short,
    shorten,
)
from testbench.traffic import conflicts_without_pause

X4 = 2


async def quarter_of_trfc(tb: TB) -> int:
    """Programs tRFC4 to a quarter of tRFC, and gives that."""
    quarter = -(-tb.timing["tRFC"] // 4)
    await tb.registers.write("tRFC4", quarter)
    await tb.registers.write("refresh_granularity", X4)
    return quarter


@test()
async def a_refresh_pauses_while_accesses_wait(tb: TB):
    quarter = tb.in_cycles(await quarter_of_trfc(tb))
    await tb.registers.write("refresh_policy", PAUSING)
    await shorten(tb, 4)
    tb.dfi.start()
    # idle: four parts at once
    await tb.cycles(4 * short(tb, 4))
    for rank in range(tb.config.ranks):
        found = gaps(refreshes(tb, rank))
        assert len(found) >= 8 and sum(gap <= quarter + 2 for gap in found) >= len(found) // 2, f"rank {rank}: {found}"
        assert all(is_part(tb, command) for command in refreshes(tb, rank))
    # under load none goes out until the limit is reached
    loaded = tb.cycle + 200
    async with conflicts_without_pause(tb):
        await tb.cycles(4 * short(tb, 4))
        until = tb.cycle
    assert not [
        command for rank in range(tb.config.ranks) for command in refreshes(tb, rank, loaded) if command.cycle < until
    ]


@test()
async def policies_change_at_any_time(tb: TB):
    await quarter_of_trfc(tb)
    await change_at_random(tb, (*WHOLE, FINE, ADAPTIVE, PAUSING, PAUSING), (0, X4, X4), 50)
