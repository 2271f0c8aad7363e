# SPDX-License-Identifier: Apache-2.0
"""Accesses to pages of the NVM region that live in DRAM."""

import os

from cocotbext.axi.constants import AxiResp
from testbench import TB, Incr, test
from testbench.dfi import Kind
from testbench.maps import Place
from testbench.remapping import PAGE, SUPERPAGE, Remapping

POINTERS = ["home", "table"]
RELATION, ABOVE_MAXIMUM, BELOW_MINIMUM = 6, 5, 4


def some_pages(remapping: Remapping, count: int) -> list[int]:
    """Pages of the region in several superpages, two of a kind in each; none is one of the pointer table."""
    random = remapping.tb.random
    superpages = list(range(remapping.first, remapping.pages, SUPERPAGE))
    pages: list[int] = []
    while len(pages) < count:
        page = random.choice(superpages) + random.choice((0, 1, 63, 64, 448, 511, random.randrange(SUPERPAGE)))
        if page not in pages and not remapping.in_table(page):
            pages.append(page)
    return pages


async def prepared(tb: TB, pointers: str, count: int = 6) -> tuple[Remapping, list[int]]:
    """Pages of which about half live in DRAM, their homes and frames filled where `offsets` says; not enabled yet."""
    remapping = Remapping(tb, pointers == "table")
    pages = some_pages(remapping, 2 * count)
    frames = tb.random.sample(range(remapping.frame_count), count)
    moved = {page: remapping.frame_base + frame for page, frame in zip(pages[::2], frames, strict=True)}
    for page in (*pages, *moved.values()):
        for offset in offsets(tb):
            await remapping.write(remapping.address(page, offset), tb.bytes(tb.config.line_bytes))
    await remapping.prepare(moved)
    await tb.answered()
    return remapping, pages


def offsets(tb: TB) -> tuple[int, ...]:
    line = tb.config.line_bytes
    return (0, line, PAGE // 2, PAGE - line)


class Columns:
    """Where column commands go: places with the row that was open."""

    def __init__(self, tb: TB):
        self.rows: dict[tuple[int, int], int] = {}
        self.seen: list[tuple[Kind, Place]] = []
        tb.dfi.call(self._see)

    def _see(self, command) -> None:
        if command.kind == Kind.ACTIVATE:
            self.rows[command.rank, command.bank] = command.row
        elif command.kind in (Kind.READ, Kind.WRITE):
            row = self.rows[command.rank, command.bank]
            self.seen.append((command.kind, Place(0, command.rank, command.bank, row, command.column)))

    def take(self, kind: Kind) -> list[Place]:
        """Places of the commands of a kind since this was called before."""
        taken = [place for seen, place in self.seen if seen == kind]
        self.seen = [(seen, place) for seen, place in self.seen if seen != kind]
        return taken


@test(pointers=POINTERS)
async def each_access_goes_where_its_page_is(tb: TB, pointers):
    """One access after another: what is fetched, where it goes, what is counted, which frames get dirty."""
    columns = Columns(tb)
    remapping, pages = await prepared(tb, pointers)
    await remapping.enable()
    await tb.quiet()
    columns.seen.clear()
    fault = os.environ.get("WEIR_FAULT")
    dirty = set()
    for _ in range(90):
        page = tb.random.choice((*pages, *pages, *remapping.frames.values(), tb.random.randrange(20, 80)))
        address = remapping.address(page, tb.random.choice(offsets(tb)))
        write = tb.random.random() < 0.4
        fetched = remapping.expect(address, write)
        if fault == "bitmap_not_fetched" and remapping.bitmaps.misses == 3:
            fetched += [remapping.bitmap_address(remapping.first)]
        if fault == "stale_pointer" and page in remapping.frames and not write:
            # memory says something else, and the cache must not know
            remapping.frames[page] = remapping.frame_base + remapping.frame_count - 1
            await remapping.write_pointer(page, remapping.frames[page])
        if write:
            await tb.port.write(tb.line(address), tb.bytes(tb.config.line_bytes))
            await tb.quiet()
            if page in remapping.frames:
                dirty.add(remapping.frames[page] - remapping.frame_base)
        else:
            await tb.port.read(tb.line(address))
        lines = [*fetched, *([] if write else [remapping.place(address)])]
        places = [tb.config.place(line) for line in lines]
        seen = columns.take(Kind.READ)
        assert sorted(seen) == sorted(places), f"page {page}: read {seen} and not {places}"
        writes = columns.take(Kind.WRITE)
        assert writes == ([tb.config.place(remapping.place(address))] if write else []), f"page {page}: wrote {writes}"
    expected = [remapping.bitmaps.hits, remapping.bitmaps.misses, remapping.pointers.hits, remapping.pointers.misses]
    assert await remapping.counters() == [*expected, remapping.redirected[False], remapping.redirected[True]]
    assert min(expected) > 0, "traffic that misses nothing, or hits nothing"
    assert await remapping.states(dirty=True) == dirty
    assert await remapping.states(dirty=False) == set()
    assert await tb.registers.read("remap_status.bad_pointer") == 0


@test(pointers=POINTERS, pause=["never", "answers", "all"])
async def random_traffic_finds_its_pages(tb: TB, pointers, pause):
    """Many accesses at a time, all misses of both ways among each other."""
    columns = Columns(tb)
    remapping, pages = await prepared(tb, pointers)
    if os.environ.get("WEIR_FAULT") == "stale_bitmap":
        remapping.frames.pop(next(iter(remapping.frames)))  # the table has a bit more than the model
    await remapping.enable()
    homes = {
        tb.config.place(remapping.address(page, offset)): (page, offset)
        for page in remapping.frames
        for offset in range(0, PAGE, tb.config.line_bytes)
    }
    await tb.quiet()
    columns.seen.clear()
    tb.back_pressure(pause)
    for number in range(240 if pause == "never" else 100):
        port = tb.random.choice(tb.ports)
        await port.room(8)
        page = tb.random.choice((*pages, *pages, *remapping.frames.values(), tb.random.randrange(20, 80)))
        start = tb.random.choice(offsets(tb))
        beats = tb.random.randint(1, 8)
        size = tb.config.data_bytes
        beats = min(beats, (PAGE - start) // size)
        burst = Incr(remapping.address(page, start), beats, size, id=number % (1 << tb.config.id_bits))
        if tb.random.random() < 0.45:
            strobes = bytes(tb.random.randrange(2) for _ in range(burst.length)) if number % 4 == 0 else None
            port.write(burst, tb.bytes(burst.length), strobes)
        else:
            port.read(burst)
    await tb.answered()
    tb.back_pressure("never")
    await tb.quiet()
    # a home from which a page has moved is touched by nothing but fetches of its pointer
    assert not [place for place in columns.take(Kind.WRITE) if place in homes]
    at_home = [homes[place] for place in columns.take(Kind.READ) if place in homes]
    assert all(offset == 0 and pointers == "home" for _, offset in at_home), at_home
    hits, misses, _, pointer_misses, reads, writes = await remapping.counters()
    assert hits > 0 and misses > 0 and reads > 0 and writes > 0 and pointer_misses >= len(at_home)


@test()
async def lookups_add_at_most_two_cycles(tb: TB):
    """A read of an open row, of DRAM and of a page at home whose bitmap is cached, with remapping and without."""
    remapping, pages = await prepared(tb, "table")
    page = next(page for page in pages if page not in remapping.frames)

    async def latency(page: int) -> int:
        """The least of some; refreshes and what is left of others may come in between."""
        burst = tb.line(remapping.address(page, tb.config.line_bytes))
        await tb.port.read(burst)
        taken = []
        for _ in range(12):
            await tb.cycles(17)
            taken.append((await tb.port.read(burst)).latency)
        return min(taken)

    await tb.quiet()
    without = [await latency(each) for each in (20, page)]
    await remapping.enable()
    dram, home = [await latency(each) for each in (20, page)]
    assert dram == without[0], f"a read of DRAM takes {dram} cycles with remapping, {without[0]} without"
    assert without[1] < home <= without[1] + 2, f"a read of a page at home takes {home} cycles, {without[1]} without"
    moved = await latency(next(iter(remapping.frames)))
    assert moved <= without[0] + 2, f"a read of a page in DRAM takes {moved} cycles, one of DRAM {without[0]}"
    tb.dut._log.info("cycles of a hit in an open row: DRAM %d, home %d, moved %d", dram, home, moved)


@test(pointers=POINTERS)
async def a_bit_without_a_pointer_leads_home(tb: TB, pointers):
    remapping, pages = await prepared(tb, pointers)
    bad = [page for page in pages if page in remapping.frames][:4]
    values = (remapping.frame_base - 1, remapping.frame_base + remapping.frame_count, remapping.first, 1 << 40)
    for page, frame in zip(bad, values, strict=True):
        await remapping.write_pointer(page, frame)
    invalid = next(page for page in remapping.frames if page not in bad)
    await remapping.write_pointer(invalid, remapping.frames[invalid], valid=False)
    for page in (*bad, invalid):
        remapping.frames.pop(page)
    await remapping.enable()
    for page in (*bad, invalid):
        await tb.registers.write("remap_status.bad_pointer", 1)
        assert await tb.registers.read("remap_status.bad_pointer") == 0
        await tb.write_and_read(tb.line(remapping.address(page, PAGE // 2)))
        assert await tb.registers.read("remap_status.bad_pointer") == 1
    assert await remapping.states(dirty=True) == set()
    assert (await remapping.counters())[4:] == [0, 0]


@test()
async def what_is_not_possible_is_refused(tb: TB):
    remapping, _ = await prepared(tb, "home")
    registers = tb.registers

    async def refused(name: str, value: int, cause: int) -> None:
        before = await registers.read(name)
        assert await registers.try_write(name, value) == AxiResp.SLVERR, f"{name} = {value} was not refused"
        assert await registers.read(name) == before, f"{name} changed although {value} was refused"
        assert await registers.read("error.cause") == cause, f"{name} = {value}"
        await registers.write("error", 1)

    first = remapping.first
    tables = (remapping.pages - first) // SUPERPAGE * 64, (remapping.pages - first) * 8
    bitmap, pointer = (-(-size // PAGE) for size in tables)
    await registers.write("remap_bitmap_base.page", first - bitmap)
    await refused("remap_bitmap_base.page", first - bitmap + 1, ABOVE_MAXIMUM)
    await registers.write("remap_pointer_base.page", remapping.pages - pointer)
    await refused("remap_pointer_base.page", remapping.pages - pointer + 1, ABOVE_MAXIMUM)
    await refused("remap_pointer_base.page", first - 1, BELOW_MINIMUM)
    await registers.write("remap_frame_count.frames", 32)
    await registers.write("remap_frame_base.page", first - 32)
    await refused("remap_frame_base.page", first - 31, RELATION)
    await refused("remap_frame_count.frames", 33, RELATION)
    await registers.write("remap_frame_base.page", 0)
    await refused("remap_frame_count.frames", remapping.most_frames + 1, ABOVE_MAXIMUM)
    assert await registers.read("remap_region.first_page") == first

    await remapping.enable()
    for name in ("bitmap_base.page", "pointer_base.page", "frame_base.page", "frame_count.frames"):
        value = await registers.read(f"remap_{name}")
        await refused(f"remap_{name}", value - 1, RELATION)
    await refused("remap_control.pointers", 1, RELATION)
    await remapping.disable()
    await registers.write("remap_control.pointers", 1)
