# SPDX-License-Identifier: Apache-2.0
"""Refreshes as seen on the DFI: often enough, postponed at most eight times."""

from itertools import pairwise

from testbench import TB, test
from testbench.dfi import Kind
from testbench.traffic import conflicts_without_pause


def short(tb: TB) -> int:
    """Cycles of tREFI in tests that program a shorter one: a fourth, as eight refreshes that fall due in two tREFI of
    the part, and eight postponed ones, are all that JEDEC lets come in that time."""
    return tb.in_cycles(tb.timing["tREFI"]) // 4 + 1


def refreshes(tb: TB, rank: int, since: int = 0) -> list[int]:
    """Cycles of the refreshes of a rank."""
    return [command.cycle for command in tb.dfi.of(Kind.REFRESH, rank=rank, since=since)]


def gaps(cycles: list[int]) -> list[int]:
    return [late - early for early, late in pairwise(cycles)]


async def shorten(tb: TB) -> None:
    """Programs tREFI to a fourth and waits until that is in force."""
    await tb.registers.write("tREFI", short(tb) * tb.config.phases)
    await tb.cycles(2 * tb.in_cycles(tb.timing["tREFI"]) + 100)


@test()
async def an_idle_rank_is_refreshed_once_in_each_interval(tb: TB):
    tb.dfi.start()
    interval = tb.timing["tREFI"] // tb.config.phases
    count = 8
    await tb.cycles((count + 2) * interval)
    for rank in range(tb.config.ranks):
        cycles = refreshes(tb, rank)
        assert len(cycles) >= count
        assert all(interval - 4 <= gap <= interval for gap in gaps(cycles)), f"rank {rank}: gaps {gaps(cycles)}"


@test()
async def a_programmed_interval_is_kept(tb: TB):
    tb.dfi.start()
    await shorten(tb)
    since = tb.cycle
    await tb.cycles(10 * short(tb))
    for rank in range(tb.config.ranks):
        cycles = refreshes(tb, rank, since)
        assert len(cycles) in (9, 10, 11)
        assert all(abs(gap - short(tb)) <= 2 for gap in gaps(cycles)), f"rank {rank}: gaps {gaps(cycles)}"


@test(postpone=[8, 3, 1])
async def under_load_refreshes_are_postponed_but_never_too_long(tb: TB, postpone):
    """At every moment of the load each rank owes at most as many as it may, and in the end it owes none."""
    await tb.registers.write("refresh_postpone", postpone)
    tb.dfi.start()
    await shorten(tb)
    idle = {rank: refreshes(tb, rank)[-1] for rank in range(tb.config.ranks)}
    begun = tb.cycle
    async with conflicts_without_pause(tb):
        await tb.cycles((postpone + 8) * short(tb))
    ended = tb.cycle
    await tb.answered()
    await tb.cycles(4 * short(tb))
    # a forced refresh waits for what its rank is about: a row cycle, then all banks close
    slack = tb.in_cycles(tb.timing["tRC"] + tb.timing["tWR"] + tb.config.cwl + 4 + tb.timing["tRP"]) + 20
    for rank in range(tb.config.ranks):
        cycles = refreshes(tb, rank, idle[rank] + 1)
        for done, cycle in enumerate(cycles):
            owed = (cycle - slack - idle[rank]) / short(tb) - done
            assert owed <= postpone or cycle > ended, f"rank {rank} owed {owed:.1f} refreshes in cycle {cycle}"
        assert max(gaps([idle[rank], *cycles])) <= 9 * short(tb) + slack
        if postpone > 1:
            assert max(gaps([begun, *cycles])) > postpone / 2 * short(tb), f"rank {rank} postponed nothing under load"
        whole = (tb.cycle - idle[rank]) // short(tb)
        assert len(cycles) in (whole - 1, whole, whole + 1), (
            f"rank {rank}: {len(cycles)} refreshes in {whole} intervals"
        )
