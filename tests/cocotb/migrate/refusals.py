# SPDX-License-Identifier: Apache-2.0
"""Commands that are refused tell why and change nothing, and so does a full queue."""

from testbench import TB, test
from testbench.cells import Cells
from testbench.moves import EVICT, FLUSH, PAGE, PROMOTE, QUEUE, Moves, refused


async def nothing_changes(tb: TB, moves: Moves, cells: Cells, pages: list[int]) -> list:
    """What a refused command must leave as it is."""
    await tb.quiet()
    memory = [cells.read(moves.address(page), PAGE) for page in pages + moves.frames]
    tables = [
        cells.read(moves.address(moves.bitmap), PAGE),
        cells.read(moves.address(moves.pointers), moves.pointer_bytes),
    ]
    return [*memory, *tables, await moves.used_frames(), await tb.registers.read("move_lines")]


@test(pointers=["home", "table"])
async def a_refused_command_has_no_effect(tb: TB, pointers):
    moves, cells = Moves(tb, pointers == "table"), Cells(tb.config)
    first, frame = moves.first, moves.frame_base
    # not enabled
    for operation in (PROMOTE, EVICT):
        command = await moves.give(operation, first * PAGE, frame * PAGE)
        moves.where.clear()
        assert await moves.result(command) == "disabled"
    await moves.enable()
    pages = [first, first + 64, moves.pages - 1]
    for page in pages:
        await tb.fill(moves.address(page), PAGE)
    await moves.expect(await moves.promote(first, frame))
    await tb.write_and_read(tb.line(moves.address(first) + 512))

    beyond = 1 << 32  # an address that is good in its lower half
    bad_pages = ((first + 64) * PAGE + 8, (first - 1) * PAGE, moves.pages * PAGE, beyond + first * PAGE)
    bad_frames = (
        (frame + 1) * PAGE + 64,
        (frame - 1) * PAGE,
        (frame + moves.frame_count) * PAGE,
        beyond + frame * PAGE,
    )
    cases = [(operation, page, frame * PAGE + PAGE) for operation in (PROMOTE, EVICT) for page in bad_pages]
    cases += [(PROMOTE, pages[1] * PAGE, wrong) for wrong in bad_frames]
    cases += [(PROMOTE, first * PAGE, (frame + 1) * PAGE), (EVICT, pages[1] * PAGE, 0)]  # already there
    cases += [(PROMOTE, pages[1] * PAGE, frame * PAGE)]  # frame in use
    if moves.table:
        cases += [(PROMOTE, moves.pointers * PAGE, (frame + 1) * PAGE)]
    found = set()
    before = await nothing_changes(tb, moves, cells, pages)
    for case in cases:
        command = await moves.give(*case)
        assert command.expected != "done"
        await moves.expect(command)
        found.add(command.expected)
    after = await nothing_changes(tb, moves, cells, pages)
    assert after == before
    assert found == {"misaligned", "outside_region", "outside_frames", "already_there", "frame_in_use"}
    for page in pages:
        for offset in range(0, PAGE, 512):
            tb.port.read(tb.line(moves.address(page) + offset))
    await tb.answered()

    # a pointer that leads nowhere
    entry = moves.address(moves.pointers) if moves.table else None
    if entry is not None:
        await tb.port.write(tb.line(entry), bytes(tb.config.line_bytes))
        command = await moves.give(EVICT, first * PAGE)
        assert await moves.result(command) == "bad_pointer"
        assert await moves.used_frames() == {frame: True}


@test()
async def a_full_queue_takes_no_command(tb: TB):
    moves = Moves(tb, table=True)
    await moves.enable()
    # so slow that none of the commands ends
    await tb.registers.write("move_rate", 1 | 65535 << 16)
    page, frame = moves.first * PAGE, moves.frame_base * PAGE
    given = [await moves.give(PROMOTE, page, frame)]
    while len(given) < QUEUE:
        given.append(await moves.give(PROMOTE if len(given) % 2 == 0 else EVICT, page, frame))
    await refused(tb, "move_command", FLUSH)
    assert await tb.registers.read("error.cause") == 6  # relation
    assert await moves.under_way() == QUEUE
    # what would pull the ground from under the mover
    await refused(tb, "remap_control", 1 << 4)
    await refused(tb, "remap_frame_base", moves.frame_base + 1)
    for value in (0, 1 << 16, 0xFFFF0000):
        await refused(tb, "move_rate", value)
    await refused(tb, "move_command", 3)
    await refused(tb, "move_status", 0)
    await tb.registers.write("move_rate", 255 | 1 << 16)
    for command in given:
        await moves.expect(command)
    await tb.registers.write("remap_control", 1 << 4)


@test()
async def each_completion_raises_the_interrupt(tb: TB):
    moves = Moves(tb, table=False)
    await moves.enable()
    assert not tb.dut.interrupt.value
    for operation, enabled in ((PROMOTE, False), (PROMOTE, True), (EVICT, True), (FLUSH, True)):
        await tb.registers.write("interrupt_enable.move_completed", enabled)
        command = await moves.give(operation, moves.first * PAGE, moves.frame_base * PAGE)
        await moves.expect(command)
        assert await tb.registers.read("interrupt_pending.move_completed")
        assert bool(tb.dut.interrupt.value) == enabled
        await tb.registers.write("interrupt_pending", 1 << 2)
        assert not tb.dut.interrupt.value
        assert not await tb.registers.read("interrupt_pending.move_completed")


@test()
async def the_rate_is_kept(tb: TB):
    moves = Moves(tb, table=True)
    await moves.enable()
    lines = PAGE // tb.config.line_bytes
    for number, (each, cycles) in enumerate(((1, 40), (3, 100), (255, 65535))):
        await tb.registers.write("move_rate", each | cycles << 16)
        await tb.cycles(cycles if cycles < 1000 else 0)
        before, begun = await tb.registers.read("move_lines"), tb.cycle
        command = await moves.promote(moves.first + 64 + number, moves.frame_base + number)
        await moves.expect(command)
        copied, took = await tb.registers.read("move_lines") - before, tb.cycle - begun
        assert copied == lines
        # a period's lines may come at its end, and the next one's at its beginning
        assert copied <= (took // cycles + 2) * each, f"{copied} lines in {took} cycles at {each} in {cycles}"
        if each < 255:
            assert took < (lines // each + 2) * cycles + 2000
