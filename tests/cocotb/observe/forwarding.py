# SPDX-License-Identifier: Apache-2.0
"""Counters of what the write queue serves, in configs that forward, and of the drain that ends it."""

from observe.counters import Counts
from testbench import TB, test


@test()
async def what_is_answered_and_merged_in_the_queue_is_counted(tb: TB):
    config = tb.config
    tb.dfi.start()
    address = config.address(rank=config.ranks - 1, bank=1, row=9)
    await tb.registers.write("age_limit", 4095)
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        before = await Counts.latch(tb)
        for _ in range(3):  # the first is queued, two are merged
            await tb.port.write(tb.line(address), tb.bytes(config.line_bytes))
        for _ in range(5):
            await tb.port.read(tb.line(address))
        await tb.registers.write("water_marks", 1)  # high 1, low 0: drains
        await tb.cycles(200)
        counts = (await Counts.latch(tb)) - before
    source = config.source(0, 0)
    assert counts[f"source[{source}].merged"] == 2
    assert counts[f"source[{source}].forwarded"] == 5
    drained = [rank for rank in range(config.all_ranks) if counts[f"rank[{rank}].drains"]]
    assert drained == [config.ranks - 1] and counts[f"rank[{config.ranks - 1}].drains"] == 1
