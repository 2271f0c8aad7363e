# SPDX-License-Identifier: Apache-2.0
"""Refreshes of several ranks: staggered, and none holds back what is not its rank's."""

from itertools import pairwise

from cocotb.triggers import gather
from testbench import TB, test
from testbench.dfi import Command, Kind
from testbench.traffic import conflicts_without_pause


@test()
async def forced_refreshes_of_the_ranks_take_turns(tb: TB):
    """Under load no rank refreshes while another does; their intervals are shifted by tREFI / ranks."""
    config = tb.config
    await tb.registers.write("refresh_postpone", 1)
    tb.dfi.start()
    interval = tb.in_cycles(tb.timing["tREFI"])
    async with conflicts_without_pause(tb):
        await tb.cycles(5 * interval)
    commands = tb.dfi.of(Kind.REFRESH)
    assert len(commands) >= 3 * config.ranks
    for early, late in pairwise(commands):
        assert late.rank == (early.rank + 1) % config.ranks, f"{late} came after {early}"
        distance = late.cycle - early.cycle
        assert abs(distance - interval // config.ranks) < interval // config.ranks // 4


@test()
async def a_refresh_of_one_rank_does_not_hold_back_another(tb: TB):
    """Two ranks are read without pause under ids of their own; while one refreshes, the other's answers go on."""
    config = tb.config
    await tb.registers.write("refresh_postpone", 1)
    tb.dfi.start()
    ends: dict[int, list[int]] = {0: [], 1: []}
    until = tb.cycle + 3 * tb.in_cycles(tb.timing["tREFI"])

    async def read_without_pause(rank: int) -> None:
        under_way = []
        while tb.cycle < until:
            offset = tb.random.randrange(config.row_bytes // config.line_bytes) * config.line_bytes
            under_way.append(tb.port.read(tb.line(config.address(rank=rank, row=5, offset=offset), id=rank)))
            if len(under_way) == 4:
                ends[rank].append((await under_way.pop(0)).ended)

    await gather(read_without_pause(0), read_without_pause(1))

    def answers(rank: int, refresh: Command) -> int:
        """Answers of a rank while the refresh went on, without those of reads that had gone to DRAM before."""
        begins = refresh.cycle + config.read_latency + 6
        return sum(begins < cycle < refresh.cycle + tb.in_cycles(tb.timing["tRFC"]) for cycle in ends[rank])

    commands = [each for each in tb.dfi.of(Kind.REFRESH) if each.rank < 2 and each.cycle < until - 500]
    assert len(commands) >= 4
    for refresh in commands:
        assert answers(refresh.rank, refresh) == 0
        assert answers(1 - refresh.rank, refresh) > 0, f"rank {1 - refresh.rank} stood still during {refresh}"
