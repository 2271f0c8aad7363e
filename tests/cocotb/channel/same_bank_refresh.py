# SPDX-License-Identifier: Apache-2.0
"""Refreshes of one bank of each bank group, of DDR5 (JESD79-5 4.10.3): such a set of banks is a pseudo-rank. The DRAM
judges what is too early or too late; here is what it does not look at: that nothing waits for longer than it must."""

from itertools import pairwise

from testbench import TB, test
from testbench.dfi import Command, Kind
from testbench.refreshing import SIMULTANEOUS, STAGGERED, change_at_random, fault
from testbench.traffic import conflicts_without_pause

SAME_BANK = 1 << 11


def nearest(early: list[Command], late: list[Command]) -> int:
    """Clocks from a command of the first kind to the next of the second, of another set, at least."""
    return min(b.clock - a.clock for a in early for b in late if b.rank != a.rank and 0 < b.clock - a.clock < 1000)


@test()
async def refreshes_and_the_precharges_before_them_name_a_set(tb: TB):
    await tb.registers.write("refresh_policy", STAGGERED)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(4 * tb.in_cycles(tb.timing["tREFI"]))
    refreshes = tb.dfi.of(Kind.REFRESH)
    closings = [command for command in tb.dfi.of(Kind.PRECHARGE) if command.all_banks]
    assert len(refreshes) >= 3 * tb.config.ranks
    assert all(command.address & SAME_BANK for command in refreshes + closings)
    assert {command.bank_pins // tb.config.bank_groups for command in refreshes} == set(range(tb.config.ranks))


@test()
async def a_set_has_no_second_refresh_before_all_others_had_one(tb: TB):
    """Under policies and limits by chance, while accesses come and pause; the DRAM judges it too."""
    fault(tb)
    tb.dfi.start()
    await change_at_random(tb, tuple(range(4)), (0,), 60)
    sets = [command.rank for command in tb.dfi.of(Kind.REFRESH)]
    assert len(sets) >= 10 * tb.config.ranks
    for first in range(0, len(sets) - tb.config.ranks, tb.config.ranks):
        assert len(set(sets[first : first + tb.config.ranks])) == tb.config.ranks, f"sets {sets[: first + 8]}"


@test()
async def others_are_activated_as_soon_as_tREFSBRD_has_passed(tb: TB):
    await tb.registers.write("refresh_policy", STAGGERED)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(8 * tb.in_cycles(tb.timing["tREFI"]))
    least = tb.timing["tREFSBRD"]
    found = nearest(tb.dfi.of(Kind.REFRESH), tb.dfi.of(Kind.ACTIVATE))
    assert least <= found < least + 2 * tb.config.phases, f"an activate came {found} clocks after a refresh beside it"
    found = nearest(tb.dfi.of(Kind.ACTIVATE), tb.dfi.of(Kind.REFRESH))
    assert tb.timing["tRRD_L"] <= found < tb.timing["tRRD_L"] + 2 * tb.config.phases


@test()
async def refreshes_that_were_postponed_follow_each_other(tb: TB):
    """Sets that want a refresh at once have it one after the other, each as soon as tRFCsb of the last has passed."""
    await tb.registers.write("refresh_policy", SIMULTANEOUS)
    tb.dfi.start()
    await tb.cycles(6 * tb.in_cycles(tb.timing["tREFI"]))
    refreshes = tb.dfi.of(Kind.REFRESH)
    distances = [late.clock - early.clock for early, late in pairwise(refreshes)]
    least = tb.timing["tRFC"]
    follow = [distance for distance in distances if distance < 2 * least]
    assert len(follow) >= len(distances) // 2
    assert min(distances) >= least and max(follow) < least + 2 * tb.config.phases, distances
