# SPDX-License-Identifier: Apache-2.0
"""Reads and writes of the same line, while the write waits in the queue and after. The reference memory judges."""

from testbench import TB, Incr, test
from testbench.dfi import Command, Kind

COUNT = 12


def lines(tb: TB, count: int = COUNT) -> list[int]:
    """Addresses of lines in different rows of few banks."""
    config = tb.config
    return [
        config.address(rank=n % config.ranks, bank=n % 2, row=n, offset=config.line_bytes * (n % 4))
        for n in range(count)
    ]


def some(tb: TB, count: int) -> bytes:
    """Strobes of some bytes: never none, never all."""
    strobes = bytearray(tb.random.random() < 0.5 for _ in range(count))
    strobes[0], strobes[-1] = (1, 0) if tb.random.random() < 0.5 else (0, 1)
    return bytes(strobes)


def at(tb: TB, address: int, commands: list[Command]) -> list[Command]:
    """Column commands of the line at an address, given that its bank has its row open or is not used by others."""
    place = tb.config.place(address)
    where = (place.channel, place.rank, place.bank, place.column)
    return [each for each in commands if (each.channel, each.rank, each.bank, each.column) == where]


@test()
async def a_queued_partial_line_goes_to_memory_first(tb: TB):
    """Bytes that were not written come from DRAM: the write command goes out, then the read command."""
    tb.dfi.start()
    for address in lines(tb):
        await tb.port.write(tb.line(address), tb.bytes(tb.config.line_bytes))
    await tb.quiet()
    async with tb.reads_going_on(tb.config.address(bank=3)):
        for address in lines(tb):
            line = tb.line(address)
            since = tb.cycle
            await tb.port.write(line, tb.bytes(line.length), some(tb, line.length))
            await tb.port.read(line)
            kinds = [each.kind for each in at(tb, address, tb.dfi.of(Kind.READ, Kind.WRITE, since=since))]
            assert kinds == [Kind.WRITE, Kind.READ]


@test()
async def a_read_of_a_partial_line_drains_its_rank_only(tb: TB):
    """The read needs its write in DRAM first, so that rank drains; writes of other ranks stay queued."""
    config = tb.config
    tb.dfi.start()
    targets = [config.address(rank=rank, bank=1, row=7) for rank in range(config.ranks)]
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(100)
        since = tb.cycle
        for target in targets:
            line = tb.line(target)
            await tb.port.write(line, tb.bytes(line.length), some(tb, line.length))
        await tb.port.read(tb.line(targets[0]))
        written = {command.rank for command in tb.dfi.of(Kind.WRITE, since=since)}
    assert written == {0}, f"ranks {written} were written"


@test()
async def the_later_write_wins_where_two_meet(tb: TB):
    """Whole after whole, part after whole, whole after part, part after part: read while queued and from DRAM."""
    for address in lines(tb):
        for first, second in ((0, 0), (0, 1), (1, 0), (1, 1)):
            line = tb.line(address)
            for partial in (first, second):
                tb.port.write(line, tb.bytes(line.length), some(tb, line.length) if partial else None)
            await tb.answered()
            await tb.port.read(line)
            if tb.random.random() < 0.3:
                await tb.quiet()
                await tb.port.read(line)


@test()
async def writes_merge_while_reads_of_the_line_go_on(tb: TB):
    """Strobed writes of every beat shape into a few lines, with reads in between that never wait for an answer."""
    places = lines(tb, 3)
    for _ in range(150):
        address = tb.random.choice(places) + tb.random.randrange(tb.config.line_bytes)
        size = min(tb.config.data_bytes, 1 << tb.random.randrange(7))
        burst = Incr(address // size * size, tb.random.randint(1, 3), size, id=tb.random.randrange(2))
        if tb.random.random() < 0.6:
            tb.port.write(burst, tb.bytes(burst.length), some(tb, burst.length) if burst.length > 1 else None)
        else:
            tb.port.read(burst)
        await tb.port.room(20)
    await tb.answered()
    await tb.quiet()
    for address in places:
        await tb.port.read(tb.line(address))


@test()
async def a_write_after_an_answered_read_does_not_change_it(tb: TB):
    """And one after a read under way may change it or not, but only as a whole byte, never into something third."""
    for address in lines(tb):
        line = tb.line(address)
        await tb.port.write(line, tb.bytes(line.length))
        await tb.quiet()
        for _ in range(4):
            tb.port.read(line)
            tb.port.write(line, tb.bytes(line.length))
        await tb.answered()
        await tb.port.read(line)


@test()
async def an_answered_write_is_seen_by_every_later_read(tb: TB):
    """Right after the answer, by any id, whatever the queues hold."""
    config = tb.config
    for number in range(120):
        address = tb.random.choice(lines(tb, 4))
        line = tb.line(address, id=number % 2)
        await tb.port.write(line, tb.bytes(line.length), some(tb, line.length) if number % 3 else None)
        tb.port.read(tb.line(address, id=(number + 1) % 2))
        if number % 7 == 0:
            await tb.cycles(tb.random.randrange(3 * config.read_latency))
    await tb.answered()
