# SPDX-License-Identifier: Apache-2.0
"""Power may be cut in any cycle: what the NVM's cells hold then is as new as docs/migration.md promises.

One long run, in which the cells are looked at by the back door in thousands of cycles by chance; in each the recovery
of a firmware is made on what the region's cells hold, without a byte of DRAM.
"""

import os

import cocotb
import numpy as np
from testbench import TB, Incr, test
from testbench.breaking import break_moves
from testbench.cells import Cells
from testbench.moves import EVICT, PAGE, PROMOTE, Moves

CUTS = int(os.environ.get("WEIR_CUTS", "2000"))
WORDS = PAGE // 8


def recover(moves: Moves, table: bytes) -> dict[int, int]:
    """What a firmware finds after a power cut: the pages that were in DRAM, by the pointer table as NVM holds it, with
    the numbers of their frames. It clears the table and goes on with the pages as they are at home."""
    entries = np.frombuffer(table, dtype="<u8")
    valid = np.nonzero(entries >> np.uint64(63))[0]
    return {moves.first + int(index): int(entries[index]) & (1 << 52) - 1 for index in valid}


class Versions:
    """Every write of a word of 8 bytes carries a number of its own, larger than those of all writes of the word before.
    Writes have one id, so that they reach memory in their order."""

    def __init__(self, tb: TB, moves: Moves, pages: list[int]):
        self.tb, self.moves, self.pages = tb, moves, pages
        self.cells = Cells(tb.config)
        self.last = 0
        # of each number the page (as a place in `pages`) and the word that it was written to
        self.place = np.zeros((1 << 22, 2), dtype=np.int64)
        self.at_home = np.zeros((len(pages), WORDS), dtype=np.int64)  # the newest that the home's cells ever held
        self.anywhere = self.at_home.copy()  # the newest that any cells ever held
        self.answered = self.at_home.copy()  # the newest that was answered
        self.cuts = self.entries = self.newer = 0

    def write(self, which: int, word: int, count: int):
        """Writes some words of a page."""
        numbers = np.arange(self.last + 1, self.last + 1 + count)
        self.place[numbers, 0] = which
        self.place[numbers, 1] = np.arange(word, word + count)
        self.last += count
        address = self.moves.address(self.pages[which]) + 8 * word
        beats = -(-count * 8 // self.tb.config.data_bytes)
        access = self.tb.port.write(Incr(address, beats, self.tb.config.data_bytes), numbers.astype("<u8").tobytes())

        async def wait():
            await access
            self.answered[which, word : word + count] = numbers

        cocotb.start_soon(wait())

    def of_page(self, page: int) -> np.ndarray:
        return np.frombuffer(self.cells.read(self.moves.address(page), PAGE), dtype="<u8").astype(np.int64)

    def look(self) -> None:
        """The power is cut here; and goes on, as the simulation does."""
        moves = self.moves
        homes = np.array([self.of_page(page) for page in self.pages])
        for frame in moves.frames:
            found = self.of_page(frame)
            found = found[(found > 0) & (found <= self.last)]
            which, word = self.place[found, 0], self.place[found, 1]
            np.maximum.at(self.anywhere, (which, word), found)
        in_dram = recover(moves, self.cells.read(moves.address(moves.pointers), moves.pointer_bytes))
        cycle = self.tb.cycle

        lost = np.argwhere(homes < self.at_home)
        assert not len(lost), f"power cut in cycle {cycle}: the home lost words of pages {self.of(lost)}"
        np.maximum(self.at_home, homes, out=self.at_home)
        np.maximum(self.anywhere, homes, out=self.anywhere)
        assert set(in_dram) <= set(self.pages), f"power cut in cycle {cycle}: entries of other pages: {in_dram}"
        assert set(in_dram.values()) <= set(moves.frames), (
            f"power cut in cycle {cycle}: pointers to no frame: {in_dram}"
        )
        assert len(set(in_dram.values())) == len(in_dram), (
            f"power cut in cycle {cycle}: two pages in a frame: {in_dram}"
        )
        at_home = np.array([page not in in_dram for page in self.pages])
        lost = np.argwhere((homes < self.anywhere) & at_home[:, None])
        assert not len(lost), (
            f"power cut in cycle {cycle}: no entry tells that words of pages {self.of(lost)} were in DRAM"
        )
        self.cuts += 1
        self.entries += len(in_dram)
        self.newer += int((homes < self.anywhere).sum())

    def of(self, lost: np.ndarray) -> str:
        return ", ".join(f"{self.pages[which]:#x}[{word}]" for which, word in lost[:4])


async def accesses(tb: TB, versions: Versions, ended: list) -> None:
    """Reads and writes of words by chance, few of them under way, so that queues run empty now and then."""
    random = tb.random
    while not ended:
        await tb.port.room(random.choice((2, 8)))
        which = random.randrange(len(versions.pages))
        count = random.choice((2, 4, 8, 16, 32))
        word = random.randrange(WORDS // count) * count
        if random.random() < 0.6:
            versions.write(which, word, count)
        else:
            tb.port.read(tb.line(versions.moves.address(versions.pages[which]) + word * 8 // 64 * 64, id=1))
        if random.random() < 0.3:
            await tb.cycles(random.randrange(60))


async def commands(tb: TB, moves: Moves, versions: Versions, ended: list) -> None:
    random = tb.random
    pages = versions.pages
    while not ended:
        kind = random.random()
        if kind < 0.08:
            before = versions.answered.copy()
            await moves.expect(await moves.flush())
            homes = np.array([versions.of_page(page) for page in pages])
            lost = np.argwhere(homes < before)
            assert not len(lost), f"after a flush that ended in cycle {tb.cycle} not at home: {versions.of(lost)}"
        elif kind < 0.5 and moves.where:
            await moves.expect(await moves.evict(random.choice(list(moves.where))))
        else:
            operation = random.choice((PROMOTE, PROMOTE, EVICT))
            await moves.expect(
                await moves.give(operation, random.choice(pages) * PAGE, random.choice(moves.frames) * PAGE)
            )
        await tb.cycles(random.randrange(300))


@test()
async def nvm_loses_nothing_that_it_held(tb: TB):
    moves = Moves(tb, table=True, frame_count=4)
    await moves.enable(slow=tb.config.line_bytes == 64)
    break_moves(tb)
    tb.hang = 20_000
    offsets = (0, 63, 64, 511, 512, 1024 + 5)
    versions = Versions(tb, moves, [moves.first + offset for offset in offsets])
    for page in versions.pages:
        await moves.zero(page, PAGE)
    for frame in moves.frames:
        await moves.zero(frame, PAGE)
    await tb.quiet()
    ended = []
    running = [
        cocotb.start_soon(accesses(tb, versions, ended)),
        cocotb.start_soon(commands(tb, moves, versions, ended)),
    ]
    while versions.cuts < CUTS:
        await tb.cycles(1 + tb.random.randrange(80))
        versions.look()
    ended.append(True)
    for each in running:
        await each
    await tb.answered()
    assert versions.entries and versions.newer, "no page was in DRAM at any cut"
    cocotb.log.info(
        "%d power cuts, %d entries found, %d words newer in DRAM, %d commands, %d words written",
        versions.cuts,
        versions.entries,
        versions.newer,
        moves.issued,
        versions.last,
    )


async def reads(tb: TB, ended: list) -> None:
    """So many reads that writes wait in the queue."""
    while not ended:
        await tb.port.room(8)
        tb.port.read(tb.line(tb.config.base + tb.random.randrange(64) * PAGE))
    await tb.answered()


@test()
async def a_flush_orders_without_remapping(tb: TB):
    """What was answered before it was given is in the cells once it is completed."""
    moves, cells, ended = Moves(tb, table=True), Cells(tb.config), []
    break_moves(tb)
    running = cocotb.start_soon(reads(tb, ended))
    waited = 0
    for number in range(20):
        pages = [
            moves.first + tb.random.randrange(moves.pages - moves.first),
            64 + tb.random.randrange(moves.first - 64),
        ]
        contents = {tb.line(moves.address(page)): tb.random.randbytes(tb.config.line_bytes) for page in pages}
        for burst, data in contents.items():
            await tb.port.write(burst, data)
        waited += any(cells.read(burst.address, len(data)) != data for burst, data in contents.items())
        command = await moves.flush()
        assert await moves.result(command) == "done", f"flush {number}"
        for burst, data in contents.items():
            assert cells.read(burst.address, len(data)) == data, f"after flush {number} not in memory: {burst}"
    ended.append(True)
    await running
    assert waited, "no write waited in the queue"
    assert await tb.registers.read("move_lines") == 0
