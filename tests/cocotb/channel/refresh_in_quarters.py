# SPDX-License-Identifier: Apache-2.0
"""Refreshes in parts of 4x, by a DDR4 DRAM in on-the-fly mode with the part's own tRFC4."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import (
    ADAPTIVE,
    FINE,
    PAUSING,
    STAGGERED,
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


@test()
async def fine_refreshes_come_four_times_as_often_and_in_turn(tb: TB):
    await tb.registers.write("refresh_granularity", X4)
    await tb.registers.write("refresh_policy", FINE)
    tb.dfi.start()
    quarter = tb.in_cycles(tb.timing["tREFI"]) / 4
    async with conflicts_without_pause(tb):
        await tb.cycles(int(10 * quarter))
    for rank in range(tb.config.ranks):
        commands = refreshes(tb, rank)
        parts = [command for command in commands if is_part(tb, command)]
        assert len(commands) - len(parts) <= 1, "whole ones only for what was owed from before"
        assert len(parts) >= 8
        assert all(abs(gap - quarter) < 80 for gap in gaps(parts)[4:]), f"rank {rank}: {gaps(parts)}"
    # no two ranks at once, once all are in their turns
    commands = tb.dfi.of(Kind.REFRESH, since=int(tb.cycle - 4 * quarter))
    assert all(gap > quarter / tb.config.ranks / 2 for gap in gaps(commands)), gaps(commands)


@test()
async def adaptive_refreshes_are_whole_only_under_load(tb: TB):
    await tb.registers.write("refresh_granularity", X4)
    await tb.registers.write("refresh_policy", ADAPTIVE)
    await shorten(tb, 4)
    tb.dfi.start()
    await tb.cycles(3 * short(tb, 4))
    idle = tb.cycle
    async with conflicts_without_pause(tb):
        await tb.cycles(6 * short(tb, 4))
    loaded = tb.cycle
    for rank in range(tb.config.ranks):
        commands = refreshes(tb, rank)
        assert all(is_part(tb, command) for command in commands if command.cycle < idle)
        settled = [command for command in commands if idle + 2 * short(tb, 4) < command.cycle < loaded]
        assert settled


@test()
async def a_refresh_that_was_begun_in_parts_is_ended_in_parts(tb: TB):
    """Whenever another policy comes."""
    await tb.registers.write("refresh_granularity", X4)
    tb.dfi.start()
    for _ in range(20):
        await tb.registers.write("refresh_policy", FINE)
        await tb.cycles(tb.random.randrange(short(tb, 4)))
        await tb.registers.write("refresh_policy", STAGGERED)
        await tb.registers.write("refresh_granularity", tb.random.choice((0, X4)))
        await tb.cycles(tb.random.randrange(2 * short(tb, 4)))
        await tb.registers.write("refresh_granularity", X4)
    for rank in range(tb.config.ranks):
        parts = 0
        for command in refreshes(tb, rank):
            if is_part(tb, command):
                parts += 1
            else:
                assert parts % 4 == 0, f"rank {rank}: {command} after {parts} parts"
        assert parts >= 4


@test()
async def policies_change_at_any_time(tb: TB):
    beyond = (PAUSING,) if tb.config.beyond_jedec else ()
    await change_at_random(tb, (*WHOLE, FINE, FINE, ADAPTIVE, *beyond), (0, X4, X4), 60)
