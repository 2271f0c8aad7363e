# SPDX-License-Identifier: Apache-2.0
"""Stalled cycles are put to the cause that a scenario has."""

from channel.water_marks import AT_HIGH_MARK
from observe.counters import Counts
from observe.watching import watching
from testbench import TB, test
from testbench.dfi import Kind


@test()
async def a_read_during_a_refresh_is_stalled_by_it(tb: TB):
    config = tb.config
    source = config.source(0, 0)
    await tb.refreshed()
    rank_before = await Counts.latch(tb, "rank[0].")
    async with watching(tb, (source, 0)) as seen:
        await tb.dfi.until(
            lambda command: command.kind == Kind.REFRESH and (command.channel, command.rank) == (0, 0),
            2 * tb.in_cycles(tb.timing["tREFI"]),
        )
        await tb.port.read(tb.line(config.address(row=1)))
    (read,) = seen
    read.expect_only("refresh", "bank")
    refresh = tb.in_cycles(tb.timing["tRFC"])
    assert refresh - 15 <= read.stalls["refresh"] <= refresh + 3, read.stalls
    assert read.reads == read.refreshes == 1
    counts = await Counts.latch(tb, "rank[0].") - rank_before
    assert counts["rank[0].refreshes"] == counts["rank[0].refreshes_stalling"] == 1
    assert counts["rank[0].cycles_blocked"] >= read.stalls["refresh"]


@test()
async def refreshes_of_an_idle_rank_stall_nobody(tb: TB):
    await tb.refreshed()
    before = await Counts.latch(tb, "rank[0].")
    async with watching(tb, (0, 0)) as seen:
        await tb.cycles(3 * tb.in_cycles(tb.timing["tREFI"]))
    counts = await Counts.latch(tb, "rank[0].") - before
    assert counts["rank[0].refreshes"] >= 2
    assert counts["rank[0].refreshes_stalling"] == seen[0].refreshes == seen[0].total == 0


@test()
async def a_row_conflict_alone_stalls_by_the_bank(tb: TB):
    """In the cycle of its command a read is not stalled, in all others in the queue it is."""
    config = tb.config
    source = config.source(0, 0)
    await tb.refreshed()
    await tb.port.read(tb.line(config.address(row=1)))
    await tb.cycles(50)
    async with watching(tb, (source, 0)) as seen:
        await tb.port.read(tb.line(config.address(row=2)))
    (read,) = seen
    read.expect_only("bank")
    conflict = tb.in_cycles(tb.timing["tRP"]) + tb.in_cycles(tb.timing["tRCD"])
    assert read.reads == 1 and read.total == read.delay - 1
    assert conflict - 3 <= read.total <= conflict + 6, read.stalls


@test()
async def a_row_hit_alone_is_not_stalled(tb: TB):
    config = tb.config
    await tb.refreshed()
    await tb.port.read(tb.line(config.address(row=1)))
    await tb.cycles(50)
    async with watching(tb, (config.source(0, 0), 0)) as seen:
        await tb.port.read(tb.line(config.address(row=1, offset=config.block_bytes)))
    assert seen[0].reads == 1 and seen[0].total <= 1, seen[0].stalls


@test()
async def reads_of_a_rank_that_drains_are_stalled_by_its_writes(tb: TB):
    config = tb.config
    reader = config.source(0, (1 << config.id_bits) - 1)
    writes = config.write_queue // 2
    lines = config.row_bytes // config.block_bytes
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("water_marks", config.write_queue | 0 << 16)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    await tb.refreshed()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        for number in range(writes):
            # each second line is of another row, so that the drain takes its time
            address = config.address(bank=1, row=number % 2, offset=number // 2 % lines * config.block_bytes)
            await tb.port.write(tb.line(address), tb.bytes(config.line_bytes))
        async with watching(tb, (reader, 0)) as seen:
            await tb.registers.write("water_marks", 1)
            await tb.cycles(20 * writes)
    (reads,) = seen
    reads.expect_only("write_drain", "turnaround", "bank", "bus")
    assert reads.stalls["write_drain"] >= writes, reads.stalls
    assert reads.stalls["write_drain"] > reads.total - reads.stalls["write_drain"], reads.stalls
