# SPDX-License-Identifier: Apache-2.0
"""Pages of the NVM region that live in DRAM, as the tests have them: tables in memory, where every address leads, and
what the caches hold. Follows docs/remapping.md and shares nothing with the hardware."""

from __future__ import annotations

import json
import os
from collections import deque
from pathlib import Path

from testbench.burst import Incr
from testbench.reference import Reference

PAGE = 4096
SUPERPAGE = 512  # pages


class Relocated(Reference):
    """Reference memory by where bytes lie: an address is that of the page it leads to."""

    def __init__(self, place):
        super().__init__()
        self._place = place

    def _moved(self, runs):
        return [(self._place(address), length) for address, length in runs]

    def begin_write(self, runs, *rest):
        return super().begin_write(self._moved(runs), *rest)

    def end_write(self, runs, *rest):
        return super().end_write(self._moved(runs), *rest)

    def begin_read(self, runs, cycle):
        return super().begin_read(self._moved(runs), cycle)


class FifoCache:
    """A set-associative cache that replaces what came first."""

    def __init__(self, sets: int, ways: int):
        self._sets = [deque(maxlen=ways) for _ in range(sets)]
        self.hits = self.misses = 0

    def look_up(self, key: int) -> bool:
        """Whether the key is there; it is from now on."""
        entries = self._sets[key % len(self._sets)]
        hit = key in entries
        if hit:
            self.hits += 1
        else:
            self.misses += 1
            entries.append(key)
        return hit


class Remapping:
    """Sets remapping up and knows where every address leads.

    Attributes:
        frames: page number of the frame by page number of the page, both from the first page of memory
    """

    def __init__(self, tb, table: bool):
        self.tb, self.table = tb, table
        fields = json.loads((Path(os.environ["WEIR_BUILD"]) / "Weir.json").read_text())
        shape = fields["remapping"]
        self.frames: dict[int, int] = {}
        self.pages = tb.config.memory_bytes // PAGE
        self.first = self.pages * fields["nvm"]["firstRank"] // tb.config.ranks
        self.most_frames = shape["frames"]
        self.bitmap_base, self.pointer_base = 5, self.first + SUPERPAGE + 3
        self.frame_base, self.frame_count = 100, min(40, self.most_frames)
        self.bitmaps = FifoCache(shape["bitmapSets"], shape["bitmapWays"])
        self.pointers = FifoCache(shape["pointerSets"], shape["pointerWays"])
        self.redirected = {False: 0, True: 0}  # by whether it wrote
        self.enabled = False
        tb.reference = Relocated(self.place)

    def address(self, page: int, offset: int = 0) -> int:
        """Bus address of a byte of a page."""
        return self.tb.config.base + page * PAGE + offset

    def place(self, address: int) -> int:
        """The bus address at which what is at an address lies."""
        page, offset = divmod(address - self.tb.config.base, PAGE)
        return self.address(self.frames.get(page, page) if self.enabled else page, offset)

    def in_table(self, page: int) -> bool:
        """Whether a page is one of the pointer table, which must not move."""
        return self.pointer_base <= page < self.pointer_base + (self.pages - self.first) * 8 // PAGE

    # ---- tables, written by software

    def bitmap_address(self, page: int) -> int:
        """Where the bitmap of a page's superpage begins."""
        return self.address(self.bitmap_base) + (page - self.first) // SUPERPAGE * 64

    def pointer_address(self, page: int) -> int:
        if self.table:
            return self.address(self.pointer_base) + (page - self.first) * 8
        return self.address(page)

    async def write(self, address: int, data: bytes) -> None:
        """Writes data in pieces that no bus beat is too wide for."""
        size = min(self.tb.config.data_bytes, len(data))
        await self.tb.port.write(Incr(address, len(data) // size, size), data)

    async def write_bitmap(self, page: int) -> None:
        """Writes the bitmap of the page's superpage."""
        start = page - (page - self.first) % SUPERPAGE
        bits = sum(1 << (each - start) for each in self.frames if start <= each < start + SUPERPAGE)
        await self.write(self.bitmap_address(page), bits.to_bytes(64, "little"))

    async def write_pointer(self, page: int, frame: int, valid: bool = True) -> None:
        await self.write(self.pointer_address(page), (valid << 63 | frame).to_bytes(8, "little"))

    async def prepare(self, frames: dict[int, int]) -> None:
        """Writes tables in which these pages live in these frames."""
        self.frames = dict(frames)
        for superpage in range(self.first, self.pages, SUPERPAGE):
            await self.write_bitmap(superpage)
        for page, frame in frames.items():
            await self.write_pointer(page, frame)

    async def enable(self) -> None:
        registers = self.tb.registers
        await registers.write("remap_bitmap_base.page", self.bitmap_base)
        await registers.write("remap_pointer_base.page", self.pointer_base)
        await registers.write("remap_frame_base.page", self.frame_base)
        await registers.write("remap_frame_count.frames", self.frame_count)
        await registers.write("remap_control.pointers", int(self.table))
        await registers.write("remap_control.enable", 1)
        self.enabled = True
        while await registers.read("remap_status.busy"):
            pass

    async def disable(self) -> None:
        await self.tb.registers.write("remap_control.enable", 0)
        self.enabled = False

    # ---- what an access of one line is expected to do, one at a time

    def expect(self, address: int, write: bool = False) -> list[int]:
        """Addresses of the lines that are read from DRAM before the access itself is sent."""
        page = (address - self.tb.config.base) // PAGE
        fetched: list[int] = []
        if page < self.first:
            return fetched
        if not self.bitmaps.look_up(page // SUPERPAGE):
            start = self.bitmap_address(page)
            fetched += range(start, start + 64, self.tb.config.line_bytes)
        if page in self.frames:
            self.redirected[write] += 1
            if not self.pointers.look_up(page):
                pointer = self.pointer_address(page)
                fetched.append(pointer - pointer % self.tb.config.line_bytes)
        return fetched

    async def counters(self) -> list[int]:
        """The controller's counters, in order."""
        values = []
        for number in range(6):
            await self.tb.registers.write("remap_counter_index", number)
            values.append(await self.tb.registers.read("remap_counter"))
        return values

    async def states(self, dirty: bool) -> set[int]:
        """Indices of the frames that are dirty, or used."""
        registers = self.tb.registers
        await registers.write("remap_frame_index", dirty << 31)
        words = [await registers.read("remap_frame_states") for _ in range(self.most_frames // 32)]
        assert await registers.read("remap_frame_index") == dirty << 31  # behind the last comes the first
        bits = sum(word << 32 * number for number, word in enumerate(words))
        return {index for index in range(self.most_frames) if bits >> index & 1}
