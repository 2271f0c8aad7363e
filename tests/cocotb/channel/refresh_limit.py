# SPDX-License-Identifier: Apache-2.0
"""The limit that no policy can miss: a rank that ran ahead of its refreshes gets a policy that never runs ahead, while
it is busy. What is too late the DRAM judges: nine tREFI of the part after the last refresh (JESD79-3F 4.14.2)."""

from testbench import TB, test
from testbench.refreshing import ELASTIC, SIMULTANEOUS, STAGGERED, fault, refreshes

FAR = 40  # cycles of a step of elastic's idle time, of which eight are far more than lie between two accesses
APART, DENSE = 200, 8  # cycles between two accesses: so that the rank is never idle for long, and never at all


async def run_ahead(tb: TB) -> None:
    """Refreshes all ranks as many times ahead as they may be, and then no more as long as they are accessed."""
    tb.dfi.start()
    await tb.registers.write("refresh_idle", 1)
    await tb.registers.write("refresh_policy", ELASTIC)
    await tb.cycles(2 * tb.in_cycles(tb.timing["tREFI"]))
    assert all(len(refreshes(tb, rank)) >= tb.config.most_postponed for rank in range(tb.config.ranks)), (
        "nothing ran ahead"
    )
    await tb.registers.write("refresh_idle", FAR)


async def keep_busy(tb: TB, cycles: int, apart: int = APART) -> None:
    """Reads and writes of rank 0 alone, mostly row conflicts."""
    config, random = tb.config, tb.random
    until = tb.cycle + cycles
    while tb.cycle < until:
        await tb.port.room(8)
        line = tb.line(config.address(0, random.randrange(config.banks), row=random.randrange(4)))
        if random.random() < 0.7:
            tb.port.read(line)
        else:
            tb.port.write(line, tb.bytes(line.length))
        await tb.cycles(apart)
    await tb.answered()


@test()
async def a_rank_that_ran_ahead_is_refreshed_in_time_by_another_policy(tb: TB):
    """Simultaneous waits for ranks that are further ahead; staggered, of the only rank, until a refresh is owed."""
    fault(tb)
    interval = tb.in_cycles(tb.timing["tREFI"])
    await run_ahead(tb)
    await keep_busy(tb, (tb.config.most_postponed - 1) * interval)
    await tb.registers.write("refresh_policy", SIMULTANEOUS if tb.config.ranks > 1 else STAGGERED)
    # the last refresh was at most a tREFI before, and a rank that has row cycles without end closes late
    await keep_busy(tb, interval * 9 // 10)
    await keep_busy(tb, interval * 13 // 10, DENSE)
    await keep_busy(tb, interval)
