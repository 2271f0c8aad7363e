# SPDX-License-Identifier: Apache-2.0
"""Counters of accesses to the NVM region: what drives and reads them, what they must be, and what breaks them."""

import os
from collections import Counter
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import FallingEdge

from testbench.burst import Burst
from testbench.tb import TB

PAGE, SUPERPAGE = 4096, 2 << 20
IDLE, CLEARING, COUNTING, DRAINING = range(4)
SUPERPAGES, PAGES, HOT_LIST = range(3)
INTERVAL_ENDED, HOT_LIST_LEVEL = 1 << 0, 1 << 1

# of the configs test-hot-monitor and test-migration, whose second rank of two is the region
SLOTS, RECORDS = 3, 16
# counters of superpages in test-migration, which has twice as many superpages
HASHED = 4


@dataclass
class Model:
    """Counts the lines of the region that bursts of rising addresses touch.

    Attributes:
        hashed: whether superpages share HASHED counters by the hash of docs/hot-monitor.md, or have one each
    """

    tb: TB
    superpage_weight: int
    page_weight: int
    threshold: int
    chosen: list[int]
    hashed: bool = False
    accesses: int = 0
    superpages: Counter = field(default_factory=Counter)
    pages: Counter = field(default_factory=Counter)
    hot: list[tuple[int, int]] = field(default_factory=list)

    def access(self, burst: Burst, write: bool) -> None:
        line = self.tb.config.line_bytes
        offset = burst.address - self.tb.config.base
        for number in range(offset // line, (offset + burst.length - 1) // line + 1):
            self._line(number * line, write)

    def _line(self, offset: int, write: bool) -> None:
        page, superpage = offset // PAGE, offset // SUPERPAGE
        if superpage < first(self.tb):
            return
        self.accesses += 1
        self.superpages[superpage] += self.superpage_weight if write else 1
        if superpage in self.chosen:
            before = self.pages[page]
            self.pages[page] += self.page_weight if write else 1
            if before < self.threshold <= self.pages[page]:
                self.hot.append((page, self.pages[page]))

    def expected_superpages(self) -> list[int]:
        """What the counters of superpages hold."""
        held = [0] * (HASHED if self.hashed else count(self.tb))
        for superpage, accesses in self.superpages.items():
            held[self.counter(superpage)] += accesses
        return [min(accesses, 65535) for accesses in held]

    def counter(self, superpage: int) -> int:
        """Which counter counts for a superpage."""
        number = superpage - first(self.tb)
        if not self.hashed:
            return number
        hash = 0
        while number:
            hash, number = hash ^ number % HASHED, number // HASHED
        return hash

    def expected_pages(self, slot: int) -> list[int]:
        """What the 512 counters of a slot hold; of the first slot with a superpage, others hold nothing."""
        superpage = self.chosen[slot]
        if superpage in self.chosen[:slot]:
            return [0] * 512
        counts = [self.pages[superpage * 512 + number] for number in range(512)]
        return [count if count < 1 << 15 else (1 << 16) - 1 for count in counts]


def first(tb: TB) -> int:
    """Number of the region's first superpage."""
    return tb.config.memory_bytes // 2 // SUPERPAGE


def count(tb: TB) -> int:
    """Superpages of the region."""
    return tb.config.memory_bytes // 2 // SUPERPAGE


def region(tb: TB, offset: int = 0) -> int:
    """Bus address of a byte of the region."""
    return tb.config.base + tb.config.memory_bytes // 2 + offset


async def choose(tb: TB, superpages: list[int]) -> None:
    """Fills the slots from the first on, and empties the rest."""
    await tb.registers.write("hot_slot", 0)
    for superpage in superpages:
        await tb.registers.write("hot_chosen", 1 << 31 | superpage)
    for _ in range(SLOTS - len(superpages)):
        await tb.registers.write("hot_chosen", first(tb))
    assert await tb.registers.read("hot_slot") == 0


async def until(tb: TB, state: int) -> None:
    """Waits for a state of the counters."""
    begun = tb.cycle
    while await tb.registers.read("hot_status.state") != state:
        assert tb.cycle - begun < 20000, f"the counters' state was not {state} in 20000 cycles"


async def start(tb: TB, control: int = 0b0011) -> None:
    """Begins an interval, and waits until accesses count."""
    await tb.registers.write("hot_control", 1 << 8 | control)
    await until(tb, COUNTING)


async def end(tb: TB) -> None:
    """Lets the interval end within a few cycles as if it were over, and expects to be told."""
    length = await tb.registers.read("hot_interval")
    await tb.registers.write("hot_interval", 1)
    await until(tb, IDLE)
    await tb.registers.write("hot_interval", length)
    assert await tb.registers.read("interrupt_pending.interval_ended") == 1
    await tb.registers.write("interrupt_pending", INTERVAL_ENDED)


async def burst_of(tb: TB, store: int, word: int, words: int) -> list[int]:
    """Reads words of a store one after the other."""
    await tb.registers.write("hot_index", store << 28 | word)
    return [await tb.registers.read("hot_data") for _ in range(words)]


async def counters(tb: TB, store: int, first: int, number: int) -> list[int]:
    """Counters of a store, an even one first."""
    words = await burst_of(tb, store, first // 2, number // 2)
    return [half for word in words for half in (word & 0xFFFF, word >> 16)]


async def take_list(tb: TB) -> list[tuple[int, int]]:
    """Empties the hot list: its records, page and count."""
    head, tail = await tb.registers.read("hot_list_head"), await tb.registers.read("hot_list_tail")
    words = await burst_of(tb, HOT_LIST, 2 * head, 2 * ((tail - head) % RECORDS))
    await tb.registers.write("hot_list_head", tail)
    return list(zip(words[::2], words[1::2], strict=True))


async def expect_counters(tb: TB, model: Model) -> None:
    """All counters of both stages are what the model says, and none was missed."""
    assert await tb.registers.read("hot_dropped") == 0
    expected = model.expected_superpages()
    found = await counters(tb, SUPERPAGES, 0, len(expected))
    assert found == expected, f"superpages: {found}, not {expected}"
    for slot in range(len(model.chosen)):
        found, expected = await counters(tb, PAGES, 512 * slot, 512), model.expected_pages(slot)
        wrong = [f"{page}: {found[page]}, not {expected[page]}" for page in range(512) if found[page] != expected[page]]
        assert not wrong, f"pages in slot {slot}: {'; '.join(wrong[:8])}"


def fault(tb: TB) -> None:
    """Breaks the counters in the way that the environment names, from now on: a register stands still."""
    held = {
        "back to back": ("place.monitor.superpages.counters.again", 0),
        "weight": ("place.monitor.superpages.amount", 1),
        "full": ("place.monitor.list.overflowed", 0),
        "hash": ("place.monitor.superpages.counter", 0),
        "redirected": ("registers.hot_control_redirected", 1),
    }
    name = os.environ.get("WEIR_FAULT", "none")
    if name == "none":
        return
    path, value = held[name]
    handle = tb.dut.weir
    for part in path.split("."):
        handle = getattr(handle, part)

    async def hold() -> None:
        while True:
            await FallingEdge(tb.dut.clock)
            handle.value = value

    cocotb.start_soon(hold())
