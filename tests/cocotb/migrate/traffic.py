# SPDX-License-Identifier: Apache-2.0
"""Pages move while accesses to them go on, which always see the newest data; a flush leaves everything in NVM."""

import os

import cocotb
from cocotb.triggers import gather
from testbench import TB, test
from testbench.breaking import break_moves
from testbench.cells import Cells
from testbench.moves import EVICT, PAGE, PROMOTE, Moves
from testbench.traffic import Profile, Traffic

ACCESSES = int(os.environ.get("WEIR_ACCESSES", "500"))  # of all ports together

# many accesses to few lines, so that some are always of lines that are being copied
PROFILE = Profile(places=1, piece=4, banks=0, writes=0.5, longest=8, partial=0.4)


def pages_to_move(moves: Moves) -> list[int]:
    """Pages at the ends of the region, of superpages and of a word of the bitmap; more than there are frames."""
    offsets = (0, 63, 64, 70, 71, 72, 511, 512, 1024 + 5, 1024 + 6)
    return [moves.first + offset for offset in offsets] + [moves.pages - 1]


async def commands(tb: TB, moves: Moves, pages: list[int], cells: Cells, accesses) -> None:
    """Gives commands by chance, good and bad ones, as long as accesses go on."""
    random = tb.random
    given = []
    while not accesses.done():
        page, frame = random.choice(pages) * PAGE, random.choice(moves.frames) * PAGE
        kind = random.random()
        if kind < 0.1:
            command = await moves.flush()
        elif kind < 0.2:
            bad = random.randrange(4)
            if bad == 0:
                page += random.randrange(1, PAGE)
            elif bad == 1:
                page = random.choice((0, moves.first - 1, moves.pages, 1 << 40)) * PAGE
            elif bad == 2:
                frame = random.choice((0, moves.frame_base - 1, moves.frame_base + moves.frame_count)) * PAGE
            else:
                frame += random.randrange(1, PAGE)
            command = await moves.give(random.choice((PROMOTE, EVICT)), page, frame)
        elif random.random() < 0.5 and moves.where:
            command = await moves.evict(random.choice(list(moves.where)))
        else:
            command = await moves.give(PROMOTE, page, frame)
        given.append(command)
        if random.random() < 0.6 or len(given) > 10:
            for each in given:
                await moves.expect(each)
            given.clear()
    for each in given:
        await moves.expect(each)


def expect_in_cells(tb: TB, moves: Moves, cells: Cells, pages: list[int]) -> int:
    """Checks every byte of the pages that is known against their homes' cells; gives how many those are. Nothing may be
    under way."""
    known = 0
    for page in pages:
        held = cells.read(moves.address(page), PAGE)
        for offset in range(PAGE):
            if not moves.table and offset < 8 and page in moves.where:
                continue  # the pointer stands there
            history = tb.reference.granules.get((moves.address(page) + offset) // 64, [])
            # of writes beside each other any may be the last
            allowed = {write.data >> 8 * (offset % 64) & 0xFF for write in history if write.mask >> offset % 64 & 1}
            known += bool(allowed)
            assert not allowed or held[offset] in allowed, f"byte {offset:#x} of page {page:#x} is not home"
    return known


@test(pointers=["home", "table"], pause=["never", "answers"])
async def accesses_see_the_newest_data(tb: TB, pointers, pause):
    moves, cells = Moves(tb, pointers == "table"), Cells(tb.config)
    await moves.enable()
    break_moves(tb)
    pages = pages_to_move(moves)
    lines = PAGE // tb.config.line_bytes
    # not more than some 10000 cycles for a page
    await tb.registers.write(
        "move_rate", tb.random.choice((1 | 1 << 16, 1 | 1280 // lines << 16, lines // 16 | 300 << 16))
    )
    traffic = Traffic(tb.config, PROFILE, tb.random)
    # a hot line or two of each page, where copying passes; and some of DRAM
    traffic.pieces = [
        moves.address(page) + tb.random.randrange(lines // PROFILE.piece) * PROFILE.piece * tb.config.line_bytes
        for page in pages
        for _ in range(3)
    ] + [moves.address(128 + number) for number in range(4)]
    tb.hang = 20_000
    tb.back_pressure(pause)

    async def accesses() -> None:
        # until pages have moved some times
        while moves.issued * lines < 2000:
            await gather(*(traffic.run(port, ACCESSES // len(tb.ports) // 10, 8) for port in tb.ports))

    running = cocotb.start_soon(accesses())
    await commands(tb, moves, pages, cells, running)
    await running
    await tb.answered()
    tb.back_pressure("never")

    # a flush leaves all in NVM though pages stay in DRAM
    await moves.expect(await moves.flush())
    await tb.answered()
    known = expect_in_cells(tb, moves, cells, pages)
    assert known > 1000
    assert not any((await moves.used_frames()).values())
    assert set(await moves.used_frames()) == set(moves.where.values())

    # and all of it, when all are home
    for page in list(moves.where):
        await moves.expect(await moves.evict(page))
    await tb.quiet()
    expect_in_cells(tb, moves, cells, pages)
    assert await moves.used_frames() == {}
    for piece in traffic.pieces:
        tb.port.read(tb.line(piece))
    await tb.answered()
    assert not await tb.registers.read("remap_status.bad_pointer")
    copied = await tb.registers.read("move_lines.count")
    assert copied > 0
    cocotb.log.info(
        "%d commands, %d lines copied, %d reads checked, %d bytes in cells",
        moves.issued,
        copied,
        tb.reference.reads,
        known,
    )
