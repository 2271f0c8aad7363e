# SPDX-License-Identifier: Apache-2.0
"""Groups of banks of one rank that are ranks to queues, drains and refreshes, and one rank to the DRAM's timings."""

from itertools import pairwise

from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import SIMULTANEOUS, STAGGERED, gaps, refreshes, shorten
from testbench.traffic import conflicts_without_pause


@test()
async def a_pseudo_rank_is_the_upper_bits_of_the_bank(tb: TB):
    config = tb.config
    tb.dfi.start()
    for rank in range(config.ranks):
        for bank in range(config.banks):
            since = tb.cycle
            await tb.port.read(tb.line(config.address(rank=rank, bank=bank, row=rank)), expect=None)
            (read,) = tb.dfi.of(Kind.READ, since=since)
            assert read.bank_pins == rank * config.banks + bank
    assert len(tb.dut.dfi_cs_n) == config.phases


@test()
async def bursts_of_two_pseudo_ranks_follow_without_a_gap(tb: TB):
    """Reads that hit rows of all pseudo-ranks in turn come as near as reads of one rank's bank groups do: no tRTRS."""
    config = tb.config
    tb.dfi.start()
    lines = [
        tb.line(config.address(rank=rank, offset=config.line_bytes * column), id=rank % 4)
        for column in range(16)
        for rank in range(config.ranks)
    ]
    for _ in range(3):
        reads = [tb.port.read(line, expect=None) for line in lines]
        for read in reads:
            await read
    commands = tb.dfi.of(Kind.READ)
    nearest = min(late.clock - early.clock for early, late in pairwise(commands) if early.rank != late.rank)
    assert nearest == max(tb.timing["tCCD_S"], config.phases), f"reads of two pseudo-ranks come {nearest} clocks apart"


@test()
async def real_parts_refresh_all_at_once_and_others_one_by_one(tb: TB):
    config = tb.config
    await tb.registers.write("refresh_policy", STAGGERED)
    await shorten(tb)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(12 * tb.in_cycles(tb.timing["tREFI"]) // 4)
    found = [[command.cycle for command in refreshes(tb, rank)] for rank in range(config.ranks)]
    assert all(len(cycles) >= 8 for cycles in found)
    for cycles in found[1:]:
        assert (cycles == found[0]) == config.refreshed_together
        assert config.refreshed_together or not set(cycles) & set(found[0])


@test()
async def one_is_read_while_another_refreshes(tb: TB):
    """Within tRFC of a refresh, only where they refresh apart."""
    config = tb.config
    await tb.registers.write("refresh_policy", STAGGERED)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(4 * tb.in_cycles(tb.timing["tREFI"]))
    taken = tb.in_cycles(tb.timing["tRFC"]) - 1
    reads = tb.dfi.of(Kind.READ)
    for refresh in [each for each in refreshes(tb, 0)[1:] if each.cycle + taken < reads[-1].cycle]:
        meanwhile = {read.rank for read in reads if 0 < read.cycle - refresh.cycle < taken}
        assert 0 not in meanwhile
        assert bool(meanwhile) != config.refreshed_together, f"of {refresh} only {meanwhile} were read meanwhile"


@test()
async def policies_for_all_ranks_at_once_hold_for_pseudo_ranks(tb: TB):
    config = tb.config
    await tb.registers.write("refresh_policy", SIMULTANEOUS)
    tb.dfi.start()
    await tb.cycles(6 * tb.in_cycles(tb.timing["tREFI"]))
    for first, *others in zip(*(refreshes(tb, rank)[1:] for rank in range(config.ranks)), strict=False):
        assert all(0 <= other.cycle - first.cycle < 16 for other in others), (first, others)


@test()
async def a_calibration_is_of_the_whole_rank(tb: TB):
    """All pseudo-ranks are closed and not in refresh, which the DRAM looks at; they go on afterwards."""
    await tb.registers.write("zqInterval", 2)
    await tb.registers.write("refresh_policy", STAGGERED)
    await shorten(tb)
    tb.dfi.start()
    async with conflicts_without_pause(tb):
        await tb.cycles(16 * tb.in_cycles(tb.timing["tREFI"]) // 4)
    calibrations = tb.dfi.of(Kind.CALIBRATE, rank=0)
    assert len(calibrations) >= 5
    for rank in range(tb.config.ranks):
        cycles = [command.cycle for command in refreshes(tb, rank)]
        assert max(gaps(refreshes(tb, rank))) < 2 * tb.in_cycles(tb.timing["tREFI"]) // 4 + 400, (
            f"rank {rank}: {cycles}"
        )
        between = [sum(early.cycle < cycle < late.cycle for cycle in cycles) for early, late in pairwise(calibrations)]
        assert all(1 <= count <= 3 for count in between), f"rank {rank}: {between} refreshes between calibrations"
