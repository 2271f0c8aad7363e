# SPDX-License-Identifier: Apache-2.0
"""A memory that is slower: the DRAM is as many times slower as the time scale says, refreshes too, and judges it."""

import os

import cocotb
from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import ELASTIC, gaps, refreshes
from testbench.scaling import Latencies, expect_scaled, fault, latencies, scale
from testbench.traffic import PROFILES, Traffic, conflicts_without_pause


def factor() -> int:
    """That of the DRAM, or what a test that must fail says instead."""
    features = dict(each.partition("=")[::2] for each in cocotb.plusargs["dram_features"].split(","))
    return int(os.environ.get("WEIR_FACTOR") or features.get("time_scale", 1))


@test()
async def traffic_keeps_the_rules(tb: TB):
    """All kinds of commands, with calibrations, and row conflicts and turns of the bus as near as they may come."""
    fault(tb)
    await scale(tb, factor(), slow=True)
    await tb.registers.write("water_marks", 2)  # high 2, low 0: many turns between reads and writes
    await tb.registers.write("zqInterval", 1)
    for profile in PROFILES.values():
        await Traffic(tb.config, profile, tb.random).run(tb.port, max(12, 120 // factor()), 16)
    await tb.answered()


@test()
async def idle_reads_take_factor_times_as_long(tb: TB):
    """Those of factor 1 are by the timings of the part, and a cycle each for the choice, R and every register."""
    await scale(tb, factor(), slow=True)
    found = await latencies(tb)
    hit = 2 + tb.config.read_registers + tb.config.read_latency
    closed = hit + tb.in_cycles(tb.timing["tRCD"])
    expect_scaled(tb, factor(), Latencies(hit, closed, closed + tb.in_cycles(tb.timing["tRP"])), found)


@test()
async def refreshes_are_as_many_times_as_rare(tb: TB):
    """Of an idle rank, to a step for each; each time it may be late by no more than at factor 1."""
    await scale(tb, factor(), slow=True)
    tb.dfi.start()
    interval = factor() * (tb.timing["tREFI"] // tb.config.phases)
    await tb.cycles((3 + 4 // factor()) * interval)
    for rank in range(tb.config.ranks):
        found = gaps(refreshes(tb, rank))
        assert found and all(abs(gap - interval) <= 4 * factor() for gap in found), f"rank {rank}: gaps {found}"


@test()
async def refreshes_that_were_postponed_and_those_pulled_in_are_not_too_many(tb: TB):
    """An idle memory that pulls in has most of them at once after a load that postponed eight; the DRAM counts them."""
    if factor() != 2:  # at others it is the same, or takes too long
        return
    await scale(tb, factor(), slow=True)
    await tb.registers.write("refresh_policy", ELASTIC)
    await tb.registers.write("refresh_idle", 1)
    interval = factor() * tb.in_cycles(tb.timing["tREFI"])
    async with conflicts_without_pause(tb):
        await tb.cycles(9 * interval)
    await tb.answered()
    tb.dfi.start()
    since = tb.cycle
    await tb.cycles(2 * interval)
    assert 14 <= len(tb.dfi.of(Kind.REFRESH, rank=0, since=since)) <= 16
