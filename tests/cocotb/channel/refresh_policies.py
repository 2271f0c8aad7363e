# SPDX-License-Identifier: Apache-2.0
"""The refresh policies that any DRAM can do: when each refreshes, and changes of them at any time."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import (
    DEFER_UNTIL_EMPTY,
    ELASTIC,
    SIMULTANEOUS,
    STAGGERED,
    WHOLE,
    change_at_random,
    gaps,
    refreshes,
    short,
    shorten,
)
from testbench.traffic import conflicts_without_pause, hits_without_pause

# A refresh waits until the row cycle under way in its rank is over.
SLACK = 80


@test()
async def staggered_refreshes_come_when_due_under_load(tb: TB):
    await tb.registers.write("refresh_policy", STAGGERED)
    await shorten(tb)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(7 * short(tb))
    for rank in range(tb.config.ranks):
        found = gaps(refreshes(tb, rank))
        assert len(found) >= 5 and all(abs(gap - short(tb)) < SLACK for gap in found[1:]), f"rank {rank}: {found}"


@test()
async def simultaneous_refreshes_come_together(tb: TB):
    ranks = tb.config.ranks
    await tb.registers.write("refresh_policy", SIMULTANEOUS)
    await shorten(tb)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(7 * short(tb))
    commands = tb.dfi.of(Kind.REFRESH)
    groups = [commands[first : first + ranks] for first in range(0, len(commands) - ranks + 1, ranks)]
    assert len(groups) >= 5
    for group in groups:
        assert {command.rank for command in group} == set(range(ranks))
        assert group[-1].cycle - group[0].cycle < SLACK
    assert all(abs(gap - short(tb)) < SLACK for gap in gaps([group[0] for group in groups[1:]]))


@test()
async def elastic_pulls_in_when_idle_and_lives_on_it_under_load(tb: TB):
    await tb.registers.write("refresh_policy", ELASTIC)
    tb.dfi.start()
    interval = tb.in_cycles(tb.timing["tREFI"])
    # eight ahead and no more: as many as fall due from then on
    await tb.cycles(interval)
    for rank in range(tb.config.ranks):
        count = len(refreshes(tb, rank))
        assert 7 <= count <= 10, f"rank {rank}: {count} refreshes in the first tREFI"
    loaded = tb.cycle
    async with conflicts_without_pause(tb):
        await tb.cycles(4 * interval)
    until = tb.cycle
    for rank in range(tb.config.ranks):
        under_load = [command for command in refreshes(tb, rank, loaded + 200) if command.cycle < until]
        assert not under_load, f"rank {rank} was refreshed under load: {under_load[0]}"


@test()
async def pulling_in_ends_at_its_limit(tb: TB):
    await tb.registers.write("refresh_pull_in", 2)
    await tb.registers.write("refresh_policy", ELASTIC)
    tb.dfi.start()
    await tb.cycles(tb.in_cycles(tb.timing["tREFI"]))
    for rank in range(tb.config.ranks):
        assert 2 <= len(refreshes(tb, rank)) <= 4


@test()
async def accesses_of_a_rank_go_before_its_refresh(tb: TB):
    """With a preemptive drain a rank has more of the bus just before its refresh than without."""
    if tb.config.ranks == 1:
        return
    ahead = 150
    await tb.registers.write("refresh_policy", STAGGERED)
    await shorten(tb)
    tb.dfi.start()
    shares = []
    for cycles in (0, ahead):
        await tb.registers.write("refresh_drain_ahead", cycles)
        since = tb.cycle
        async with hits_without_pause(tb):
            await tb.cycles(8 * short(tb))
        columns = tb.dfi.of(Kind.READ, Kind.WRITE, since=since)
        own = other = 0
        for refresh in tb.dfi.of(Kind.REFRESH, since=since + ahead):
            before = [each for each in columns if refresh.cycle - ahead < each.cycle < refresh.cycle]
            own += sum(each.rank == refresh.rank for each in before)
            other += sum(each.rank != refresh.rank for each in before)
        shares.append(own / (own + other))
    assert shares[1] > shares[0], shares


@test()
async def policies_change_at_any_time(tb: TB):
    await change_at_random(tb, WHOLE, (0,), 60)


@test()
async def a_policy_that_the_dram_cannot_do_is_refused(tb: TB):
    await tb.registers.write("refresh_policy", SIMULTANEOUS)
    most = 7 if tb.config.beyond_jedec else 5 if tb.config.bank_groups > 1 else 3
    assert await tb.registers.try_write("refresh_policy", most + 1 & 7 or 8) != 0
    await tb.registers.write("refresh_policy", most)
    await tb.registers.write("refresh_policy", DEFER_UNTIL_EMPTY)
