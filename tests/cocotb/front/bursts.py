# SPDX-License-Identifier: Apache-2.0
"""AXI compliance: bursts of every kind, length, size and alignment. The port checks every answer and every byte."""

from testbench import TB, Burst, Fixed, Incr, Wrap, test
from testbench.patterns import BACK_PRESSURE


def sizes(tb: TB) -> list[int]:
    """Every size of a beat, in bytes."""
    return [1 << bit for bit in range(tb.config.data_bytes.bit_length())]


async def exchange(tb: TB, bursts: list[Burst]) -> None:
    """Writes all bursts, reads each at once and once more when it has gone to DRAM, and reads the bytes around it."""
    size = tb.config.data_bytes
    for burst in bursts:
        low = min(address for address, _ in burst.runs()) // size * size
        high = -(-max(address + count for address, count in burst.runs()) // size) * size
        around = Incr(low, min(256, (high - low) // size), size)
        await tb.port.write(around, tb.bytes(around.length))
        await tb.port.write(burst, tb.bytes(burst.length))
        tb.port.read(burst)
        tb.port.read(around)
        await tb.port.room(8)
    await tb.quiet()
    for burst in bursts:
        tb.port.read(burst)
        await tb.port.room(8)
    await tb.answered()


@test(pause=BACK_PRESSURE)
async def incrementing_bursts_of_every_size(tb: TB, pause):
    tb.back_pressure(pause)
    await exchange(
        tb,
        [
            Incr(tb.address(beats * size, align=size), beats, size)
            for size in sizes(tb)
            for beats in (1, 2, 3, tb.random.randint(4, 16))
        ],
    )


@test()
async def incrementing_bursts_of_every_length(tb: TB):
    size = sizes(tb)[1]
    for beats in range(1, 257):
        burst = Incr(tb.address(beats * size, align=size), beats, size)
        await tb.port.write(burst, tb.bytes(burst.length))
        tb.port.read(burst)
        await tb.port.room(12)


@test()
async def bursts_of_256_beats_at_full_width(tb: TB):
    size = tb.config.data_bytes
    beats = min(256, 4096 // size)
    for _ in range(3):
        await tb.write_and_read(Incr(tb.address(beats * size, align=4096), beats, size))


@test()
async def unaligned_bursts_begin_inside_a_beat(tb: TB):
    await exchange(
        tb,
        [
            Incr(tb.address(beats * size, align=size) + tb.random.randrange(1, size), beats, size)
            for size in sizes(tb)[1:]
            for beats in (1, 2, 9)
        ],
    )


@test()
async def wrapping_bursts_from_every_beat(tb: TB):
    bursts = []
    for size in sizes(tb):
        for beats in (2, 4, 8, 16):
            if size * beats <= 4096:
                start = tb.address(size * beats, align=size * beats)
                firsts = range(beats) if size == sizes(tb)[-1] else tb.random.sample(range(beats), 2)
                bursts += [Wrap(start + first * size, beats, size) for first in firsts]
    await exchange(tb, bursts)


@test()
async def fixed_bursts_keep_the_last_beat(tb: TB):
    bursts = [Fixed(tb.address(size, align=size), beats, size) for size in sizes(tb) for beats in (1, 2, 15, 16)]
    bursts += [Fixed(tb.address(size, align=size) + size - 1, 5, size) for size in sizes(tb)[1:]]
    await exchange(tb, bursts)


@test()
async def fixed_bursts_of_disjoint_strobes_gather_all_beats(tb: TB):
    size = tb.config.data_bytes
    burst = Fixed(tb.address(size, align=size), min(16, size), size)
    await tb.fill(burst.address, size)
    strobes = bytearray(burst.length)
    for beat in range(burst.beats):
        strobes[beat * size + beat] = 1
    await tb.port.write(burst, tb.bytes(burst.length), strobes)
    await tb.port.read(Incr(burst.address, 1, size))


@test(pause=["never", "data"])
async def strobes_write_only_their_bytes(tb: TB, pause):
    tb.back_pressure(pause)
    size = tb.config.data_bytes
    for _ in range(24):
        beats = tb.random.randint(1, 8)
        burst = Incr(tb.address(beats * size, align=size), beats, size)
        density = tb.random.choice((0.1, 0.5, 0.9))
        await tb.port.write(burst, tb.bytes(burst.length))
        strobes = bytes(tb.random.random() < density for _ in range(burst.length))
        await tb.port.write(burst, tb.bytes(burst.length), strobes)
        await tb.port.read(burst)


@test()
async def a_write_without_a_strobe_is_answered_and_writes_nothing(tb: TB):
    size = tb.config.data_bytes
    burst = Incr(tb.address(4 * size, align=size), 4, size)
    await tb.port.write(burst, tb.bytes(burst.length))
    await tb.port.write(burst, tb.bytes(burst.length), bytes(burst.length))
    await tb.port.read(burst)


@test()
async def an_exclusive_access_is_okay_but_not_exclusive(tb: TB):
    size = tb.config.data_bytes
    burst = Incr(tb.address(size, align=size), 1, size, lock=1)
    await tb.port.read(burst)
    await tb.port.write(burst, tb.bytes(size))
    await tb.port.read(burst)


@test()
async def cache_protection_and_quality_have_no_effect(tb: TB):
    size = tb.config.data_bytes
    address = tb.address(size, align=size)
    for _ in range(12):
        hints = {"cache": tb.random.randrange(16), "prot": tb.random.randrange(8), "qos": tb.random.randrange(16)}
        await tb.write_and_read(Incr(address, 1, size, **hints))


@test()
async def data_may_come_before_and_long_after_their_address(tb: TB):
    size = tb.config.data_bytes
    late = Incr(tb.address(8 * size, align=size), 8, size)
    write = tb.port.write(late, tb.bytes(late.length), beats=False)
    await tb.cycles(300)
    assert not write.done
    tb.port.send_beats(write)
    await write
    await tb.port.read(late)

    tb.port.aw.pause = True
    early = Incr(tb.address(8 * size, align=size), 8, size)
    write = tb.port.write(early, tb.bytes(early.length))
    await tb.cycles(300)
    assert not write.done
    tb.port.aw.pause = False
    await write
    await tb.port.read(early)


@test()
async def every_id_is_answered_under_its_own(tb: TB):
    size = tb.config.data_bytes
    ids = 1 << tb.config.id_bits
    addresses = [tb.address(size, align=size) for _ in range(min(ids, 64))]
    for id, address in enumerate(addresses):
        tb.port.write(Incr(address, 1, size, id=id * ids // len(addresses)), tb.bytes(size))
    await tb.answered()
    for id, address in enumerate(addresses):
        tb.port.read(Incr(address, 1, size, id=id * ids // len(addresses)))
    await tb.answered()
