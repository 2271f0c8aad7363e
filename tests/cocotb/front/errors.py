# SPDX-License-Identifier: Apache-2.0
"""What cannot be done is answered with an error on every beat, changes nothing, and hangs nothing."""

from cocotbext.axi.constants import AxiResp
from testbench import TB, Burst, Fixed, Incr, Wrap, test

DECERR, SLVERR = AxiResp.DECERR, AxiResp.SLVERR


def outside(tb: TB) -> list[int]:
    """Addresses of whole 4 KiB pages just outside memory and far from it."""
    config = tb.config
    end = config.base + config.memory_bytes
    pages = [end, end + 4096, (1 << config.address_bits) - 4096]
    if config.base:
        pages += [0, config.base - 4096]
    return [page for page in pages if not config.base <= page < end and page + 4096 <= 1 << config.address_bits]


@test(pause=["never", "all"])
async def outside_memory_every_beat_tells_so(tb: TB, pause):
    tb.back_pressure(pause)
    size = tb.config.data_bytes
    assert outside(tb)
    for page in outside(tb):
        bursts = [
            Incr(page, 1, size),
            Incr(page + 4096 - size, 1, size),
            Incr(page + 1, min(256, 4096 // size), size),
            Incr(page, 256, 1),
            Wrap(page + size, 4, size),
            Fixed(page + 3, 16, 1),
        ]
        for burst in bursts:
            tb.port.read(burst, expect=DECERR)
            tb.port.write(burst, tb.bytes(burst.length), expect=DECERR)
            await tb.port.room(6)
    await tb.answered()


@test()
async def the_last_line_of_memory_is_memory(tb: TB):
    size = tb.config.data_bytes
    end = tb.config.base + tb.config.memory_bytes
    await tb.write_and_read(Incr(tb.config.base, 1, size))
    await tb.write_and_read(Incr(end - size, 1, size))
    await tb.write_and_read(Incr(end - 1, 1, 1))


def malformed(tb: TB, address: int) -> list[Burst]:
    """Bursts that AXI4 forbids: unknown type, too many beats, wrong length or alignment, a beat wider than the bus."""
    size = tb.config.data_bytes
    bursts = [
        Burst(address, 1, size, 3),
        Burst(address, 7, size, 3),
        Fixed(address, 17, 1),
        Fixed(address, 256, size),
        Wrap(address, 1, size),
        Wrap(address, 3, size),
        Wrap(address, 17, 1),
        Wrap(address, 256, size),
        Wrap(address + 1, 4, 2),
        Wrap(address + size // 2, 8, size),
    ]
    if size < 128:
        bursts += [Incr(address, 1, 2 * size), Incr(address, 5, 128), Fixed(address, 2, 128), Wrap(address, 4, 128)]
    return bursts


@test(pause=["never", "all"])
async def malformed_bursts_get_an_error_on_every_beat_and_change_nothing(tb: TB, pause):
    tb.back_pressure(pause)
    size = tb.config.data_bytes
    page = tb.address(4096, align=4096)
    await tb.fill(page, 4096)
    for burst in malformed(tb, page):
        tb.port.read(burst, expect=SLVERR)
        tb.port.write(burst, tb.bytes(burst.length), expect=SLVERR)
        await tb.port.room(4)
    await tb.answered()
    for offset in range(0, 4096, 16 * size):
        tb.port.read(Incr(page + offset, 16 if size < 256 else 1, size))
        await tb.port.room(8)
    await tb.answered()


@test(pause=["never", "answers"])
async def errors_keep_their_place_among_good_bursts(tb: TB, pause):
    """The port checks that answers of one id come in order, errors too."""
    tb.back_pressure(pause)
    size = tb.config.data_bytes
    page = tb.address(4096, align=4096)
    bad = outside(tb)[0]
    await tb.fill(page, 2048)
    for _ in range(40):
        id = tb.random.randrange(min(4, 1 << tb.config.id_bits))
        beats = tb.random.randint(1, 8)
        what = tb.random.randrange(5)
        good = Incr(page + tb.random.randrange(2048 // size - 8) * size if size < 256 else page, 1, size, id=id)
        if what == 0:
            tb.port.read(Incr(bad, beats, size, id=id), expect=DECERR)
        elif what == 1:
            tb.port.write(Incr(bad, beats, size, id=id), tb.bytes(beats * size), expect=DECERR)
        elif what == 2:
            tb.port.read(Fixed(page, 20, 1, id=id), expect=SLVERR)
        elif what == 3:
            tb.port.write(good, tb.bytes(size))
        else:
            tb.port.read(good)
        await tb.port.room(12)
    await tb.answered()


@test()
async def a_wrong_wlast_is_overlooked(tb: TB):
    """Beats are counted by AWLEN: WLAST too early, or never, must not hang or shift what follows."""
    size = tb.config.data_bytes
    burst = Incr(tb.address(8 * size, align=size), 8, size)
    await tb.port.write(burst, tb.bytes(burst.length))
    tb.dut.wlast_is_wrong.value = 1
    for last in (0, 3, -1):
        await tb.port.write(burst, tb.bytes(burst.length), last=last)
        await tb.port.read(burst)
    await tb.write_and_read(burst)
