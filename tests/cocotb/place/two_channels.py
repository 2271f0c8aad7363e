# SPDX-License-Identifier: Apache-2.0
"""Two channels behind one front: they work side by side, and answers come in the order that AXI asks for."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.maps import CHOOSABLE


def line_of(tb: TB, channel: int, address: int, **fields: int):
    """The line of a channel that has this address in it, where cache lines go to the channels in turn."""
    pieces, byte = divmod(address - tb.config.base, 64)
    return tb.line(tb.config.base + (2 * pieces + channel) * 64 + byte, **fields)


@test()
async def a_stream_over_both_channels_uses_both_at_once(tb: TB):
    """Cache lines in turn: both read within the same few cycles, and every line comes back."""
    config = tb.config
    tb.dfi.start()
    await tb.registers.write("address_map", list(CHOOSABLE).index("channel_interleaved"))
    await tb.fill(config.base, 2048)
    await tb.quiet()
    since = tb.cycle
    for number in range(32):
        tb.ports[number % 2].read(tb.burst(config.base + 64 * number, 64 // config.data_bytes, id=number % 8))
    await tb.answered()
    reads = tb.dfi.of(Kind.READ, since=since)
    counts = [sum(read.channel == channel for read in reads) for channel in range(2)]
    assert counts == [len(reads) // 2] * 2 and len(reads) == 2048 // config.line_bytes
    cycles = [[read.cycle for read in reads if read.channel == channel] for channel in range(2)]
    beside = sum(any(abs(mine - other) <= 2 for other in cycles[1]) for mine in cycles[0])
    assert beside > len(cycles[0]) // 2, (
        f"only {beside} of {len(cycles[0])} reads have one of the other channel beside them"
    )


@test()
async def a_burst_over_both_channels_waits_for_the_slower(tb: TB):
    """One channel's queue is full of row conflicts, the other's is empty: a read after B sees all of the burst."""
    config = tb.config
    await tb.registers.write("address_map", list(CHOOSABLE).index("channel_interleaved"))
    for slow in range(8):
        for row in range(2 * config.write_queue):
            conflict = line_of(tb, slow % 2, config.address(bank=slow, row=row), id=row % 4)
            await tb.port.room(30)
            tb.port.write(conflict, tb.bytes(conflict.length))
        await tb.write_and_read(tb.burst(config.base + 128 * slow, 128 // config.data_bytes, id=5))


@test()
async def writes_are_answered_only_when_every_read_sees_them(tb: TB):
    """Both ports write to both channels in turn, of which one is slow; other ports read at once what was answered."""
    config = tb.config
    await tb.registers.write("address_map", list(CHOOSABLE).index("channel_interleaved"))
    for number in range(400):
        port, other = tb.ports[number % 2], tb.ports[1 - number % 2]
        await port.room(12)
        channel = tb.random.randrange(2)
        slow = channel == number // 50 % 2
        row = tb.random.randrange(64) if slow else 1
        line = line_of(tb, channel, config.address(bank=2, row=row), id=tb.random.randrange(4))
        write = port.write(line, tb.bytes(line.length))
        if tb.random.random() < 0.2:
            await write
            await other.read(line)
    await tb.answered()
