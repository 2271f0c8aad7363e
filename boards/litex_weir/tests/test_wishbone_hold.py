# SPDX-License-Identifier: Apache-2.0
"""A Wishbone master that gives accesses up in any cycle, before Weir's port and before LiteX's bridges to CSRs and
AXI4-Lite, in migen's simulator; and the same without WishboneHold."""

import random
from pathlib import Path

import pytest
from litex.soc.interconnect import axi, csr_bus, wishbone
from migen import Memory, Module, passive, run_simulation
from test_wishbone_port import Memory as AxiMemory

from litex_weir import wishbone_hold
from litex_weir.wishbone_port import WishbonePort

BASE, SIZE, BITS = 0x8000_1000, 1 << 12, 64
WORDS = 4
ACCESSES = 200


class Port(Module):
    """A bus of 32 bits before Weir's AXI4 port of 64, as weir_gen puts it there."""

    def __init__(self, hold):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.submodules.bridge = WishbonePort(BITS, 32, 4, base=BASE, size=SIZE)
        self.submodules += wishbone.Converter(_held(self, bus, hold), self.bridge.bus)

    def memory(self, seed):
        memory = AxiMemory(self.bridge.port, seed)
        return [memory.writes(), memory.reads()]


class Registers(Module):
    """A bus before LiteX's bridge to AXI4-Lite, as Weir's registers are."""

    def __init__(self, hold):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.lite = axi.AXILiteInterface(data_width=32, address_width=32)
        self.submodules += axi.Wishbone2AXILite(_held(self, bus, hold), self.lite)

    def memory(self, seed):
        chance, words, lite = random.Random(seed), {}, self.lite

        @passive
        def writes():
            while True:
                while not ((yield lite.aw.valid) and (yield lite.w.valid)):
                    yield
                address, data, strobes = (yield lite.aw.addr), (yield lite.w.data), (yield lite.w.strb)
                mask = sum(0xFF << 8 * lane for lane in range(4) if strobes >> lane & 1)
                yield from _late(chance)
                yield lite.aw.ready.eq(1)
                yield lite.w.ready.eq(1)
                yield
                assert (address, data, strobes) == ((yield lite.aw.addr), (yield lite.w.data), (yield lite.w.strb))
                words[address] = words.get(address, 0) & ~mask | data & mask
                yield lite.aw.ready.eq(0)
                yield lite.w.ready.eq(0)
                yield from _answer(lite.b, chance)

        @passive
        def reads():
            while True:
                while not (yield lite.ar.valid):
                    yield
                address = yield lite.ar.addr
                yield from _late(chance)
                yield lite.ar.ready.eq(1)
                yield
                assert address == (yield lite.ar.addr)
                yield lite.ar.ready.eq(0)
                yield lite.r.data.eq(words.get(address, 0))
                yield from _answer(lite.r, chance)

        return [writes(), reads()]


class Csrs(Module):
    """A bus before LiteX's bridge to CSRs."""

    def __init__(self, hold):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        csrs = csr_bus.Interface(data_width=32)
        self.submodules += wishbone.Wishbone2CSR(_held(self, bus, hold), csrs)
        words = Memory(32, WORDS)
        port = words.get_port(write_capable=True)
        self.specials += words, port
        self.comb += [port.adr.eq(csrs.adr), port.dat_w.eq(csrs.dat_w), port.we.eq(csrs.we), csrs.dat_r.eq(port.dat_r)]

    def memory(self, seed):
        return []


def _held(module, bus, hold):
    if not hold:
        return bus
    module.submodules.hold = wishbone_hold.WishboneHold(bus)
    return module.hold.bus


def _late(chance):
    for _ in range(chance.randrange(4)):
        yield


def _answer(channel, chance):
    yield from _late(chance)
    yield channel.valid.eq(1)
    yield
    while not (yield channel.ready):
        yield
    yield channel.valid.eq(0)


class Fickle:
    """Accesses of few words, half of which may be given up; every byte that is read is one that may be there: what was
    written last, or what was given up since."""

    def __init__(self, bus, seed, whole_words, most_patience):
        self.bus, self.chance = bus, random.Random(seed)
        self.whole_words, self.most_patience = whole_words, most_patience
        self.expected = {(word, lane): {0} for word in range(WORDS) for lane in range(4)}
        self.counts = {"given up": 0, "read": 0, "written": 0}

    def _access(self, word, write, data, select):
        """Whether it was answered, and what was read."""
        bus, patience = self.bus, self.chance.choice((200, self.chance.randrange(1, self.most_patience)))
        for name, value in (("adr", word), ("we", write), ("dat_w", data), ("sel", select), ("cyc", 1), ("stb", 1)):
            yield getattr(bus, name).eq(value)
        yield
        answered = yield bus.ack
        while not answered and patience > 1:
            patience -= 1
            yield
            answered = yield bus.ack
        found = yield bus.dat_r
        assert answered or patience < 200, "the bus hangs"
        yield getattr(bus, self.chance.choice(("cyc", "stb"))).eq(0)
        yield
        for _ in range(self.chance.choice((0, 0, self.chance.randrange(12)))):
            yield
        return answered, found

    def process(self):
        for _ in range(ACCESSES):
            word, write, data = self.chance.randrange(WORDS), self.chance.randrange(2), self.chance.getrandbits(32)
            select = self.chance.randrange(1, 16) if write and not self.whole_words else 15
            answered, found = yield from self._access(word, write, data, select)
            self.counts["given up" if not answered else "written" if write else "read"] += 1
            for lane in range(4):
                byte, places = data >> 8 * lane & 0xFF, self.expected[word, lane]
                if write and select >> lane & 1:
                    self.expected[word, lane] = {byte} if answered else places | {byte}
                elif answered and not write:
                    assert found >> 8 * lane & 0xFF in places, f"word {word} is {found:08x}"
                    self.expected[word, lane] = {found >> 8 * lane & 0xFF}


def simulate(slave, seed, hold=True):
    print(f"seed {seed}")
    made = slave(hold)
    csrs = slave is Csrs
    master = Fickle(made.bus, seed, whole_words=csrs, most_patience=4 if csrs else 16)
    run_simulation(made, [master.process(), *made.memory(seed + 1)])
    assert min(master.counts.values()) > ACCESSES // 10, master.counts


@pytest.mark.parametrize("slave", [Port, Registers, Csrs])
def test_accesses_may_be_given_up_in_any_cycle(slave):
    simulate(slave, 2)


@pytest.mark.parametrize("slave", [Port, Registers, Csrs])
def test_without_the_hold_wrong_words_are_found(slave):
    with pytest.raises(AssertionError):
        simulate(slave, 1, hold=False)


@pytest.mark.parametrize(
    "mutation",
    [
        pytest.param(("bus.cyc.eq(asked | waiting)", "bus.cyc.eq(asked)"), id="not held"),
        pytest.param(("Mux(waiting, held, asks)", "asks"), id="held with what the master asks meanwhile"),
        pytest.param(("bus.ack & asked & ~given_up", "bus.ack & asked"), id="answered to the next access"),
        pytest.param(("(given_up | ~asked)", "~asked"), id="forgotten that it was given up"),
    ],
)
def test_a_broken_hold_is_found(mutation, monkeypatch):
    """The module with an expression of its text changed."""
    text, broken = Path(wishbone_hold.__file__).read_text(), {}
    assert text.count(mutation[0]) == 1
    exec(compile(text.replace(*mutation), wishbone_hold.__file__, "exec"), broken)
    monkeypatch.setattr(wishbone_hold, "WishboneHold", broken["WishboneHold"])
    with pytest.raises(AssertionError):
        simulate(Port, 1)
