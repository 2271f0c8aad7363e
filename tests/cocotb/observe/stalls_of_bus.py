# SPDX-License-Identifier: Apache-2.0
"""Stalls by the bus, where two ports and two ranks share it."""

from cocotb.triggers import gather
from observe.watching import watching
from testbench import TB, test


@test()
async def reads_of_one_rank_wait_for_the_bus_that_another_has(tb: TB):
    """Row hits of a rank without a pause; a read of another rank must wait until the bus turns."""
    config = tb.config
    other = config.source(1, 0)
    for rank in range(2):
        await tb.port.read(tb.line(config.address(rank=rank, row=1)))
    await tb.refreshed()
    lines = config.row_bytes // config.block_bytes
    for rank in range(2):
        await tb.port.read(tb.line(config.address(rank=rank, row=1)))
    async with watching(tb, (config.source(0, 0), 0), (other, 1)) as seen:
        reads = []
        for number in range(24):
            offset = number % lines * config.block_bytes
            reads.append(tb.ports[0].read(tb.line(config.address(rank=0, row=1, offset=offset))))
            if number % 4 == 0:
                reads.append(tb.ports[1].read(tb.line(config.address(rank=1, row=1, offset=offset))))
        await gather(*reads)
    for watched in seen:
        watched.expect_only("turnaround", "bus")
    assert seen[1].stalls["turnaround"] > 0, seen[1].stalls


@test()
async def row_hits_of_two_sources_stall_each_other_by_the_bus(tb: TB):
    """Each of two ports asks for as much as the bus carries of one bank group."""
    config = tb.config
    await tb.refreshed()
    banks = range(config.banks // config.bank_groups)
    await gather(*(tb.port.read(tb.line(config.address(bank=bank, row=1))) for bank in banks))
    lines = config.row_bytes // config.block_bytes
    places = [(config.source(port, 0), 0) for port in range(2)]
    async with watching(tb, *places) as seen:
        reads = []
        for number in range(48):
            for port in range(2):
                bank = (number + port * len(banks) // 2) % len(banks)
                address = config.address(bank=bank, row=1, offset=(2 * number + port) % lines * config.block_bytes)
                reads.append(tb.ports[port].read(tb.line(address)))
        await gather(*reads)
    for watched in seen:
        watched.expect_only("bus", "turnaround")
        assert watched.stalls["bus"] > 10, watched.stalls
