# SPDX-License-Identifier: Apache-2.0
"""WishbonePort between a master and an AXI4 memory that takes its time, in migen's simulator; and broken ones."""

import random

import pytest
from litex.soc.interconnect import wishbone
from migen import If, passive, run_simulation

from litex_weir import wishbone_port
from litex_weir.wishbone_port import WishbonePort

BASE, SIZE, BITS = 0x8000_0000, 1 << 12, 64
MAIN_RAM = 0x4000_0000


class Memory:
    """An AXI4 slave that takes addresses and data apart, writes when it answers and not before, and answers late."""

    def __init__(self, port, seed):
        self.port, self.random = port, random.Random(seed)
        self.words, self.addresses, self.data, self.unanswered_most = {}, [], [], 0

    @passive
    def writes(self):
        port, answer_at = self.port, None
        while True:
            if (yield port.aw.valid) and (yield port.aw.ready):
                assert (yield port.aw.size) == 3 and (yield port.aw.len) == 0 and (yield port.aw.burst) == 1
                self.addresses.append((yield port.aw.addr))
            if (yield port.w.valid) and (yield port.w.ready):
                assert (yield port.w.last)
                self.data.append(((yield port.w.data), (yield port.w.strb)))
            if (yield port.b.valid) and (yield port.b.ready):
                address, (data, strobes) = self.addresses.pop(0), self.data.pop(0)
                mask = sum(0xFF << 8 * lane for lane in range(8) if strobes >> lane & 1)
                self.words[address] = self.words.get(address, 0) & ~mask | data & mask
                answer_at = None
            whole = min(len(self.addresses), len(self.data))
            self.unanswered_most = max(self.unanswered_most, whole)
            if whole and answer_at is None:
                answer_at = self.random.randrange(1, 12)
            if answer_at is not None:
                answer_at = max(answer_at - 1, 0)
            yield port.b.valid.eq(answer_at == 0)
            yield port.aw.ready.eq(self.random.random() < 0.4)
            yield port.w.ready.eq(self.random.random() < 0.4)
            yield

    @passive
    def reads(self):
        port = self.port
        while True:
            yield port.ar.ready.eq(1)
            yield
            if (yield port.ar.valid):
                assert (yield port.ar.size) == 3 and (yield port.ar.len) == 0
                word = self.words.get((yield port.ar.addr), 0)
                yield port.ar.ready.eq(0)
                for _ in range(self.random.randrange(6)):
                    yield
                yield port.r.data.eq(word)
                yield port.r.valid.eq(1)
                yield
                yield port.r.valid.eq(0)


def traffic(bus, expected, count, seed):
    """Writes and reads of few words, so that reads follow writes of the same word."""
    dice = random.Random(seed)
    for _ in range(count):
        word = dice.randrange(4)
        address = (MAIN_RAM >> 3) + word
        if dice.random() < 0.6:
            data, select = dice.getrandbits(BITS), dice.randrange(1, 256)
            mask = sum(0xFF << 8 * lane for lane in range(8) if select >> lane & 1)
            expected[word] = expected.get(word, 0) & ~mask | data & mask
            yield from bus.write(address, data, select)
        else:
            found = yield from bus.read(address)
            assert found == expected.get(word, 0), f"word {word}"
        if dice.random() < 0.3:
            yield


def simulate(seed=1, count=400):
    bridge = WishbonePort(BITS, 32, 4, base=BASE, size=SIZE)
    memory, expected = Memory(bridge.port, seed), {}
    run_simulation(bridge, [traffic(bridge.bus, expected, count, seed), memory.writes(), memory.reads()])
    return memory, expected


@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_is_read(seed):
    memory, _ = simulate(seed)
    assert all(BASE <= address < BASE + SIZE for address in memory.words)


def test_writes_go_ahead_of_their_answers():
    memory, _ = simulate()
    assert 2 <= memory.unanswered_most <= wishbone_port.UNANSWERED


def test_a_read_that_does_not_wait_for_the_answers_is_found(monkeypatch):
    """The port with its wait taken out: `unanswered` stands still."""

    def hasty(condition, *statements):
        return (
            []
            if statements and "unanswered" in str(getattr(statements[0].l, "backtrace", ""))
            else If(condition, *statements)
        )

    monkeypatch.setattr(wishbone_port, "If", hasty)
    with pytest.raises(AssertionError, match="word"):
        simulate()


def alias(base, size, bus_bits, made=WishbonePort):
    """Something else written to 0, each power of two and the last word of memory, and read back, through a bus of
    `bus_bits`."""
    narrow = wishbone.Interface(data_width=bus_bits, address_width=32, addressing="word")
    bridge = made(BITS, 32, 4, base=base, size=size)
    bridge.submodules += wishbone.Converter(narrow, bridge.bus)
    memory, word = Memory(bridge.port, seed=1), bus_bits // 8
    places = [0, *(1 << bit for bit in range(word.bit_length() - 1, size.bit_length() - 1)), size - word]

    def master():
        for number, place in enumerate(places):
            yield from narrow.write(place // word, number + 1)
        for number, place in enumerate(places):
            found = yield from narrow.read(place // word)
            assert found == number + 1, f"byte {place:#x}"

    run_simulation(bridge, [master(), memory.writes(), memory.reads()])
    assert min(memory.words) == base and max(memory.words) == base + size - BITS // 8


@pytest.mark.parametrize("bus_bits", [32, 64])
@pytest.mark.parametrize("base", [0, 0x1000, (1 << 32) - (512 << 20)])
def test_all_of_memory_is_reached_and_from_0_on(base, bus_bits):
    alias(base, 512 << 20, bus_bits)


@pytest.mark.parametrize(
    ("base", "made"),
    [
        (0x1000, lambda *bits, base, size: WishbonePort(*bits, base=0, size=size)),
        (0x1000, lambda *bits, base, size: WishbonePort(*bits, base=base, size=size // 2)),
        (0, lambda *bits, base, size: WishbonePort(*bits, base=0x1000, size=size)),
    ],
    ids=["base forgotten", "half of memory", "another base"],
)
def test_a_port_that_reaches_other_memory_is_found(base, made):
    with pytest.raises(AssertionError):
        alias(base, 512 << 20, 32, made)


def test_an_error_of_a_read_is_passed_on():
    bridge = WishbonePort(BITS, 32, 4, base=BASE, size=SIZE)
    seen = []

    def master():
        yield bridge.bus.adr.eq(MAIN_RAM >> 3)
        yield bridge.bus.cyc.eq(1)
        yield bridge.bus.stb.eq(1)
        yield bridge.port.ar.ready.eq(1)
        yield
        yield bridge.port.r.resp.eq(2)
        yield bridge.port.r.valid.eq(1)
        yield
        yield
        seen.append(((yield bridge.bus.ack), (yield bridge.bus.err)))

    run_simulation(bridge, master())
    assert seen == [(1, 1)]
