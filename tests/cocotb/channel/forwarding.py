# SPDX-License-Identifier: Apache-2.0
"""Reads that are answered from the write queue, in configs that forward."""

from channel.hazards import at, lines
from testbench import TB, test
from testbench.dfi import Kind


@test()
async def a_queued_whole_line_is_forwarded(tb: TB):
    """The read comes back at once, and neither it nor its write goes to DRAM for it."""
    tb.dfi.start()
    async with tb.reads_going_on(tb.config.address(bank=3)):
        for address in lines(tb):
            await tb.cycles(100)
            since = tb.cycle
            await tb.port.write(tb.line(address), tb.bytes(tb.config.line_bytes))
            read = await tb.port.read(tb.line(address))
            assert not at(tb, address, tb.dfi.of(Kind.READ, Kind.WRITE, since=since))
            assert read.latency < tb.config.read_latency + 2 * read.burst.beats
