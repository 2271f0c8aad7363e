# SPDX-License-Identifier: Apache-2.0
"""Pages that move between DRAM and the NVM region: what gives the commands and keeps an account of where each is."""

from dataclasses import dataclass, field

from cocotbext.axi.constants import AxiResp

from testbench.burst import Incr
from testbench.tb import TB

PAGE = 4096
SUPERPAGE = 2 << 20
PROMOTE, EVICT, FLUSH = range(3)
RESULTS = (
    "pending",
    "done",
    "disabled",
    "misaligned",
    "outside_region",
    "outside_frames",
    "already_there",
    "frame_in_use",
    "bad_pointer",
)
QUEUE = 16  # commands that are not completed, at most


@dataclass
class Command:
    """A command as it was given; addresses from the first byte of memory. `expected` is its result."""

    operation: int
    page: int
    frame: int
    number: int
    expected: str


@dataclass
class Moves:
    """Sets remapping up and gives commands to the mover, one after the other.

    Attributes:
        table: pointers stand in a table, else at the pages' homes
        frames: page numbers of the frames
        where: frame of each page that lives in DRAM when all commands are completed, by page numbers
    """

    tb: TB
    table: bool
    frames: list[int] = field(default_factory=list)
    where: dict[int, int] = field(default_factory=dict)
    issued: int = 0
    bitmap: int = 16  # page numbers
    frame_base: int = 64
    frame_count: int = 8

    def __post_init__(self):
        config = self.tb.config
        self.pages = config.memory_bytes // PAGE
        self.first = self.pages // 2  # half of the ranks are the region
        self.pointers = self.first + 1
        self.pointer_bytes = (self.pages - self.first) * 8
        self.pointer_pages = -(-self.pointer_bytes // PAGE)
        self.frames = list(range(self.frame_base, self.frame_base + self.frame_count))

    def address(self, page: int) -> int:
        """Bus address of a page."""
        return self.tb.config.base + page * PAGE

    async def zero(self, page: int, length: int) -> None:
        size = self.tb.config.data_bytes
        address = self.address(page)
        while length > 0:
            count = min(length, 256 * size, PAGE - address % PAGE)
            await self.tb.port.write(Incr(address, count // size, size), bytes(count))
            address += count
            length -= count

    async def enable(self, slow: bool = False) -> None:
        """Clears the tables and turns remapping on; the region is as slow as NVM, or as fast as DRAM, to save time."""
        registers = self.tb.registers
        await registers.write("nvm_control.enable", slow)
        await self.zero(self.bitmap, (self.pages - self.first) // 8)
        await self.zero(self.pointers, self.pointer_bytes)
        await registers.write("remap_bitmap_base", self.bitmap)
        await registers.write("remap_pointer_base", self.pointers)
        await registers.write("remap_frame_base", self.frame_base)
        await registers.write("remap_frame_count", self.frame_count)
        await registers.write("remap_control", self.table << 4)
        await registers.write("remap_control", self.table << 4 | 1)
        while await registers.read("remap_status.busy"):
            pass

    def expected(self, operation: int, page: int, frame: int) -> str:
        """The result of a command if it is the next, and what it changes of `where`."""
        if operation == FLUSH:
            return "done"
        number, home = frame // PAGE, page // PAGE
        of_table = self.table and self.pointers <= home < self.pointers + self.pointer_pages
        if page % PAGE or (operation == PROMOTE and frame % PAGE):
            return "misaligned"
        if not self.first <= home < self.pages or of_table:
            return "outside_region"
        if operation == PROMOTE and number not in self.frames:
            return "outside_frames"
        if (home in self.where) == (operation == PROMOTE):
            return "already_there"
        if operation == PROMOTE and number in self.where.values():
            return "frame_in_use"
        if operation == PROMOTE:
            self.where[home] = number
        else:
            del self.where[home]
        return "done"

    async def give(self, operation: int, page: int = 0, frame: int = 0) -> Command:
        """Gives a command as soon as there is room; addresses from the first byte of memory."""
        registers = self.tb.registers
        for name, value in (("move_page", page), ("move_frame", frame)):
            await registers.write(f"{name}_low", value & 0xFFFFFFFF)
            await registers.write(f"{name}_high", value >> 32)
        while await self.under_way() >= QUEUE:
            await self.tb.cycles(50)
        await registers.write("move_command", operation)
        command = Command(operation, page, frame, self.issued, self.expected(operation, page, frame))
        self.issued += 1
        return command

    async def promote(self, page: int, frame: int) -> Command:
        return await self.give(PROMOTE, page * PAGE, frame * PAGE)

    async def evict(self, page: int) -> Command:
        return await self.give(EVICT, page * PAGE)

    async def flush(self) -> Command:
        return await self.give(FLUSH)

    async def under_way(self) -> int:
        status = await self.tb.registers.read("move_status")
        assert status & 0xFFFF == self.issued & 0xFFFF
        return (status - (status >> 16)) & 0xFFFF

    async def result(self, command: Command) -> str:
        """Waits until a command is completed, and gives its result."""
        begun = self.tb.cycle
        while await self.under_way() > self.issued - command.number - 1:
            await self.tb.cycles(20)
            assert self.tb.cycle - begun < 300_000, f"{command} is not completed"
        place = command.number % QUEUE
        results = await self.tb.registers.read(f"move_results_{'high' if place >= 8 else 'low'}")
        return RESULTS[results >> 4 * (place % 8) & 0xF]

    async def expect(self, command: Command) -> None:
        """Waits until a command is completed, and checks its result; no more than QUEUE may have been given since."""
        result = await self.result(command)
        assert result == command.expected, f"{command} had the result {result}"

    async def used_frames(self) -> dict[int, bool]:
        """Frames that are in use, and whether they are dirty, as the registers show them."""
        registers = self.tb.registers
        states = {}
        for name in ("used", "dirty"):
            await registers.write("remap_frame_index", name == "dirty" and 1 << 31)
            word = await registers.read("remap_frame_states")
            states[name] = {self.frame_base + bit for bit in range(self.frame_count) if word >> bit & 1}
        return {frame: frame in states["dirty"] for frame in states["used"]}


async def refused(tb: TB, name: str, value: int) -> None:
    """A write of a register that must be answered SLVERR."""
    assert await tb.registers.try_write(name, value) == AxiResp.SLVERR, f"{value} was taken by {name}"
