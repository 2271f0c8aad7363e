# SPDX-License-Identifier: Apache-2.0
"""A memory that looks slower than it is: the DRAM is its part's, judges every command and is refreshed in real time."""

from itertools import pairwise

import cocotb
from channel.starvation import bound, suffers
from channel.water_marks import AT_HIGH_MARK
from cocotbext.axi.constants import AxiResp
from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import gaps, refreshes
from testbench.scaling import FACTORS, expect_scaled, fault, first_beat, latencies, scale
from testbench.traffic import PROFILES, Traffic


@test()
async def idle_reads_take_factor_times_as_long(tb: TB):
    fault(tb)
    found = {}
    for factor in FACTORS:
        await scale(tb, factor)
        found[factor] = await latencies(tb)
    for factor in FACTORS:
        expect_scaled(tb, factor, found[1], found[factor])
    await scale(tb, 1)
    assert await latencies(tb) == found[1]


@test()
async def reads_answered_from_the_write_queue_are_held_back_as_those_of_open_rows(tb: TB):
    config = tb.config
    fault(tb)
    if not config.forwarding:
        return
    found, hits = {}, {}
    for number, factor in enumerate(FACTORS):
        await scale(tb, factor)
        hits[factor] = (await latencies(tb)).hit
        tb.dfi.start()
        since = tb.cycle
        line = tb.line(config.address(bank=2, row=number))
        await tb.port.write(line, tb.bytes(line.length))
        found[factor] = first_beat(await tb.port.read(line))
        assert not tb.dfi.of(Kind.READ, since=since)
    for factor in FACTORS:
        assert found[factor] - found[1] == (factor - 1) * hits[1]


@test()
async def lines_stream_at_the_pace_of_the_slower_memory(tb: TB):
    """Reads of a row, one after the other, come as many times as seldom: each tCCD times the factor."""
    config = tb.config
    tb.dfi.start()
    lines = 40
    beats = config.block_bytes // config.data_bytes
    for factor in FACTORS:
        await scale(tb, factor)
        await tb.refreshed()
        since = tb.cycle
        for offset in range(0, lines * config.line_bytes, config.block_bytes):
            tb.port.read(tb.burst(config.address(bank=3, row=factor, offset=offset), beats))
        await tb.answered()
        reads = [command.clock for command in tb.dfi.of(Kind.READ, rank=0, since=since)]
        assert len(reads) == lines
        pace = -(-factor * tb.timing["tCCD_L"] // config.phases) * config.phases
        slower = [late - early for early, late in pairwise(reads) if late - early != pace]
        # the first ones may wait for others to come
        assert len(slower) <= 4, f"at {factor} reads are {pace} clocks apart, but {slower}"


@test(factor=[2, 16])
async def refreshes_come_in_real_time(tb: TB, factor):
    tb.dfi.start()
    await scale(tb, factor)
    interval = tb.timing["tREFI"] // tb.config.phases
    since = tb.cycle
    await tb.cycles(7 * interval)
    for rank in range(tb.config.ranks):
        found = gaps(refreshes(tb, rank, since))
        assert len(found) >= 5 and all(interval - 4 <= gap <= interval for gap in found), f"rank {rank}: gaps {found}"


@test(factor=[2, 8])
async def a_refresh_takes_no_longer_than_the_parts(tb: TB, factor):
    """While accesses wait for it. A scaled one would take `factor` times as long."""
    config = tb.config
    await scale(tb, factor)
    await tb.registers.write("refresh_postpone", 1)
    await tb.registers.write("refresh_policy", 2)  # staggered
    tb.dfi.start()
    until = tb.cycle + 4 * tb.in_cycles(tb.timing["tREFI"])
    while tb.cycle < until:
        tb.port.read(tb.line(config.address(row=tb.random.randrange(64))))
        await tb.port.room(3)
    await tb.answered()
    commands = [command for command in tb.dfi.commands if command.rank == 0]
    taken = [late.clock - early.clock for early, late in pairwise(commands) if early.kind == Kind.REFRESH]
    assert 0 <= min(taken) - tb.timing["tRFC"] < 8 + 4 * config.phases, f"refreshes took {taken} clocks"


@test()
async def the_factor_changes_under_traffic(tb: TB):
    """The DRAM judges the commands, the reference memory the data."""
    config, random = tb.config, tb.random
    tb.hang *= 16

    async def change() -> None:
        while True:
            await tb.registers.write("time_scale", random.choice(FACTORS))
            await tb.cycles(random.choice((1, 20, 300)))

    changing = cocotb.start_soon(change())
    for profile in ("rows", "writes", "lines", "spread"):
        await Traffic(config, PROFILES[profile], random).run(tb.port, 100, 40)
    await tb.answered()
    changing.cancel()


@test(factor=[1, 4])
async def a_row_times_out_after_so_many_steps(tb: TB, factor):
    timeout = 70
    await scale(tb, factor)
    await tb.registers.write("row_timeout", timeout)
    await tb.registers.write("row_policy", 2)
    tb.dfi.start()
    await tb.refreshed()
    await tb.port.read(tb.line(tb.config.address(bank=1, row=3)))
    await tb.cycles(factor * timeout + 50)
    read, precharge = tb.dfi.of(Kind.READ, Kind.PRECHARGE, rank=0)[-2:]
    assert (read.kind, precharge.kind) == (Kind.READ, Kind.PRECHARGE)
    # two of the cycles are no steps, and the first step may be shorter
    assert -3 * factor <= precharge.cycle - read.cycle - factor * timeout <= 0


@test(factor=[1, 4])
async def the_age_limit_is_so_many_steps(tb: TB, factor):
    """A read among endless row hits waits for one limit at least and two at most, and for what is scaled too."""
    limit = 256
    await scale(tb, factor)
    await tb.registers.write("age_limit", limit)
    waited = await suffers(tb, stream_writes=False, writes=False, most=factor * 10000)
    within = factor * bound(tb, limit)
    assert factor * (limit - 1) <= waited <= within, f"the read waited {waited} cycles; the bound is {within}"


@test(factor=[1, 8])
async def queued_writes_go_after_so_many_steps_without_a_read(tb: TB, factor):
    """32, from the last read that waits on."""
    config = tb.config
    await scale(tb, factor)
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    tb.dfi.start()
    await tb.refreshed()
    address = config.address(bank=1, row=3)
    await tb.port.read(tb.line(address))
    reading = tb.dfi.of(Kind.READ, rank=0)[-1].cycle
    await tb.port.write(tb.line(address), tb.bytes(config.line_bytes))
    write = await tb.dfi.until(lambda command: command.kind == Kind.WRITE, factor * 40 + 200)
    assert -factor <= write.cycle - reading - 32 * factor <= 20, f"written {write.cycle - reading} cycles after a read"


@test()
async def factors_that_starve_accesses_are_refused(tb: TB):
    registers, timing = tb.registers, tb.timing
    row_cycle = sum(timing[name] for name in ("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP"))
    most = (timing["tREFI"] - timing["tRFC"] - timing["tZQCS"]) // (2 * row_cycle)
    assert 16 <= most < 64

    async def refused(name: str, value: int, cause: int) -> None:
        before = await registers.read(name)
        assert await registers.try_write(name, value) == AxiResp.SLVERR, f"{name} took {value}"
        assert (await registers.read(name), await registers.read("error.cause")) == (before, cause)
        await registers.write("error", 1)

    below, above, relation = 4, 5, 6
    await refused("time_scale", 0, below)
    for value in (65, 1 | 1 << 7, 1 | 1 << 9):
        await refused("time_scale", value, above)
    await refused("time_scale", most + 1, relation)
    await registers.write("time_scale", most)
    # from here on nothing may take more of the time
    await refused("tRC", timing["tRC"] + row_cycle // most + 1, relation)
    await refused("tREFI", timing["tREFI"] // 2, relation)
    # of a slow memory all is scaled alike: nothing goes on, so that its DRAM sees nothing of it
    for factor in (63, 64):
        await registers.write("time_scale", factor | 1 << 8)
        await refused("time_scale", factor, relation)
    await registers.write("time_scale", 1)
