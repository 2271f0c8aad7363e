# SPDX-License-Identifier: Apache-2.0
"""Stalls by a full read queue, in configs whose front holds more reads than that."""

from cocotb.triggers import gather
from observe.watching import watching
from testbench import TB, test


@test()
async def a_source_behind_a_full_queue_is_stalled_by_it(tb: TB):
    """One source fills the queue with row conflicts of one bank, another then reads another bank."""
    config = tb.config
    last = (1 << config.id_bits) - 1
    many, one = config.source(0, 0), config.source(0, last)
    await tb.refreshed()
    await tb.port.read(tb.line(config.address(bank=2, row=1), id=last))
    async with watching(tb, (many, 0), (one, 0)) as seen:
        reads = [
            tb.port.read(tb.line(config.address(bank=1, row=number), id=0)) for number in range(config.read_queue + 2)
        ]
        reads.append(tb.port.read(tb.line(config.address(bank=2, row=1, offset=config.block_bytes), id=last)))
        await gather(*reads)
    of_many, of_one = seen
    of_many.expect_only("bank", "bus")
    assert of_many.reads == config.read_queue + 2 and of_one.reads == 1
    assert of_one.stalls["queue_full"] > 5 and of_one.stalls["bank"] <= 2, of_one.stalls
