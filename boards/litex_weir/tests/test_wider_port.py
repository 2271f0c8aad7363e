# SPDX-License-Identifier: Apache-2.0
"""WiderPort by migen's simulator: blocks of Rocket's caches, a DMA master's accesses beside them, and any burst of
AXI4, in any order of readiness; and broken ones."""

import random
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import pytest
from litex.soc.cores.dma import WishboneDMAWriter
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.axi import (
    BURST_FIXED,
    BURST_INCR,
    BURST_WRAP,
    AXIArbiter,
    AXIConverter,
    AXIInterface,
    Wishbone2AXI,
)
from migen import Module, passive, run_simulation

from litex_weir import wider_port
from litex_weir.rocket import LINE_BITS
from litex_weir.wider_port import WiderPort

LINE_BYTES = LINE_BITS // 8
BITS = 64
PAGE = 4096
BURSTS = 24
MOST_CYCLES = 3000
"""More than all of them take."""
WRITTEN, READ, DMA_PAGE = 0x8000_0000, 0x9000_0000, 0xA000_0000
"""Pages that the harts write, that they read, and that LiteX's DMA writes."""


@dataclass(frozen=True)
class Burst:
    """An AXI4 burst: `kind` AxBURST, `size` bytes of a beat."""

    address: int
    kind: int
    size: int
    beats: int
    id: int = 0

    def places(self):
        """The bytes of each beat, as a range of addresses (AXI4 A3.4.1)."""
        span = self.size * self.beats
        for beat in range(self.beats):
            first = self.address // self.size * self.size + beat * self.size
            if self.kind == BURST_FIXED:
                first = self.address // self.size * self.size
            elif self.kind == BURST_WRAP:
                first = self.address // span * span + (self.address + beat * self.size) % span
            least = self.address if beat == 0 or self.kind == BURST_FIXED else first
            yield range(max(first, least), first + self.size)

    def fields(self):
        return {
            "addr": self.address,
            "burst": self.kind,
            "size": self.size.bit_length() - 1,
            "len": self.beats - 1,
            "id": self.id,
        }


def line(chance):
    """A block of a cache."""
    beats = LINE_BYTES * 8 // BITS
    return Burst(chance.randrange(PAGE // LINE_BYTES) * LINE_BYTES, BURST_INCR, BITS // 8, beats, chance.randrange(16))


def part(chance):
    """What Rocket makes of a DMA master's access: a block of a power of two of bytes, less than a line, aligned."""
    size = 1 << chance.randrange(6)
    word = min(size, BITS // 8)
    return Burst(chance.randrange(PAGE // size) * size, BURST_INCR, word, size // word, chance.randrange(16))


def anything(chance):
    """Any burst that AXI4 allows."""
    kind, size = chance.choice((BURST_FIXED, BURST_INCR, BURST_INCR, BURST_WRAP)), chance.choice((1, 2, 4, 8, 8))
    if kind == BURST_WRAP:
        beats, address = chance.choice((2, 4, 8, 16)), chance.randrange(PAGE // size) * size
    else:
        address = chance.randrange(PAGE) & chance.choice((-1, -size))
        beats = 1 + chance.randrange(16 if kind == BURST_FIXED else min(24, (PAGE - address // size * size) // size))
    return Burst(address, kind, size, beats, chance.randrange(16))


class Memory:
    """A slave of the wide `bus` that takes any burst and is ready by chance; `bytes` are at their addresses."""

    def __init__(self, bus, bits, chance):
        self.bus, self.width, self.chance, self.bytes, self.beats = bus, bits // 8, chance, {}, 0

    def _burst(self, channel):
        fields = {}
        for name in ("addr", "burst", "size", "len", "id"):
            fields[name] = yield getattr(channel, name)
        size = 1 << fields["size"]
        assert size <= self.width
        return Burst(fields["addr"], fields["burst"], size, fields["len"] + 1, fields["id"])

    @passive
    def writes(self):
        bus, bursts, places, answers = self.bus, deque(), deque(), deque()
        while True:
            if (yield bus.aw.valid) and (yield bus.aw.ready):
                bursts.append((yield from self._burst(bus.aw)))
                places.extend(bursts[-1].places())
            if (yield bus.w.valid) and (yield bus.w.ready):
                self.beats += 1
                data, strobes = (yield bus.w.data).to_bytes(self.width, "little"), (yield bus.w.strb)
                place = places.popleft()
                for lane in range(self.width):
                    if strobes >> lane & 1:
                        address = place.start // self.width * self.width + lane
                        assert address in place, f"a strobe for {address:#x}, outside the beat {place}"
                        self.bytes[address] = data[lane]
                last = yield bus.w.last
                assert last == (len(places) == sum(len(list(burst.places())) for burst in list(bursts)[1:]))
                if last:
                    answers.append(bursts.popleft().id)
            if (yield bus.b.valid) and (yield bus.b.ready):
                answers.popleft()
            yield bus.aw.ready.eq(self.chance.random() < 0.5)
            yield bus.w.ready.eq(len(places) > 1 and self.chance.random() < 0.8)
            if len(places) == 1:
                yield bus.w.ready.eq(1)
            yield bus.b.valid.eq(bool(answers) and ((yield bus.b.valid) or self.chance.random() < 0.7))
            yield bus.b.id.eq(answers[0] if answers else 0)
            yield

    @passive
    def reads(self):
        """Answers the bursts of an id in order, those of different ids in any."""
        bus, waiting, beats = self.bus, [], deque()
        while True:
            if (yield bus.r.valid) and (yield bus.r.ready):
                beats.popleft()
            if (yield bus.ar.valid) and (yield bus.ar.ready):
                waiting.append((yield from self._burst(bus.ar)))
            if not beats and waiting and self.chance.random() < 0.7:
                burst = self.chance.choice(waiting)
                burst = next(each for each in waiting if each.id == burst.id)
                waiting.remove(burst)
                beats.extend((burst, number, place) for number, place in enumerate(burst.places()))
            yield bus.ar.ready.eq(self.chance.random() < 0.6)
            if beats:
                burst, number, place = beats[0]
                word = place.start // self.width * self.width
                data = bytes(self.bytes.get(word + lane, 0) for lane in range(self.width))
                yield bus.r.data.eq(int.from_bytes(data, "little"))
                yield bus.r.id.eq(burst.id)
                yield bus.r.last.eq(number == burst.beats - 1)
            yield bus.r.valid.eq(bool(beats) and ((yield bus.r.valid) or self.chance.random() < 0.8))
            yield


class Master:
    """Writes and reads on `port` at the same time, with several bursts under way; checks data, ids and RLAST."""

    def __init__(self, port, chance, choose):
        self.port, self.chance, self.bytes = port, chance, {}
        self.writes = [self._at(WRITTEN, choose(chance)) for _ in range(BURSTS)]
        self.reads = [self._at(READ, choose(chance)) for _ in range(BURSTS)]

    @staticmethod
    def _at(origin, burst):
        return Burst(origin + burst.address, burst.kind, burst.size, burst.beats, burst.id)

    def _send(self, channel, all_fields):
        for fields in all_fields:
            while self.chance.random() < 0.2:
                yield
            for name, value in fields.items():
                yield getattr(channel, name).eq(value)
            yield channel.valid.eq(1)
            yield
            while not (yield channel.ready):
                yield
            yield channel.valid.eq(0)

    def _data(self):
        """What goes over W; what of it counts is in `bytes` then."""
        for burst in self.writes:
            places = list(burst.places())
            for number, place in enumerate(places):
                data, strobes = self.chance.randbytes(BITS // 8), 0
                for address in place:
                    if self.chance.random() < 0.9:
                        strobes |= 1 << address % (BITS // 8)
                        self.bytes[address] = data[address % (BITS // 8)]
                yield {
                    "data": int.from_bytes(data, "little"),
                    "strb": strobes,
                    "last": number == len(places) - 1,
                }

    def _answers(self):
        port, expected = self.port, [burst.id for burst in self.writes]
        while expected:
            yield port.b.ready.eq(self.chance.random() < 0.8)
            yield
            if (yield port.b.valid) and (yield port.b.ready):
                assert (yield port.b.id) == expected.pop(0)

    def _returns(self, memory):
        port, under_way, running = self.port, list(self.reads), None
        while under_way or running:
            yield port.r.ready.eq(self.chance.random() < 0.8)
            yield
            if (yield port.r.valid) and (yield port.r.ready):
                identity = yield port.r.id
                if running is None:
                    burst = next(each for each in under_way if each.id == identity)
                    under_way.remove(burst)
                    running = (burst, deque(burst.places()))
                burst, places = running
                assert identity == burst.id
                place = places.popleft()
                data = (yield port.r.data).to_bytes(BITS // 8, "little")
                for address in place:
                    assert data[address % (BITS // 8)] == memory.bytes[address], f"{burst}: {address:#x}"
                assert (yield port.r.last) == (not places), str(burst)
                running = running if places else None

    def processes(self, memory):
        memory.bytes.update((READ + offset, self.chance.randrange(256)) for offset in range(PAGE))
        return [
            self._send(self.port.aw, (burst.fields() for burst in self.writes)),
            self._send(self.port.w, self._data()),
            self._send(self.port.ar, (burst.fields() for burst in self.reads)),
            self._answers(),
            self._returns(memory),
        ]


@passive
def watch():
    for _ in range(MOST_CYCLES):
        yield
    raise AssertionError("the port hangs")


def simulate(bits, choose, seed, made=WiderPort):
    print(f"seed {seed}")
    port = AXIInterface(data_width=BITS, address_width=32, id_width=4)
    wider = made(port, bits)
    memory = Memory(wider.bus, bits, random.Random(seed))
    master = Master(port, random.Random(seed + 1), choose)
    run_simulation(wider, [*master.processes(memory), memory.writes(), memory.reads(), watch()])
    found = {address: byte for address, byte in memory.bytes.items() if address < READ}
    wrong = {address for address in found | master.bytes if found.get(address) != master.bytes.get(address)}
    assert not wrong, f"bytes at {', '.join(map(hex, sorted(wrong)[:4]))} are not what was written"
    return master, memory


def either(*choices):
    return lambda chance: chance.choice(choices)(chance)


@pytest.mark.parametrize("bits", [128, 512])
def test_blocks_of_a_cache_fill_the_wide_words(bits):
    master, memory = simulate(bits, line, seed=bits)
    assert memory.beats == len(master.writes) * LINE_BITS // bits


@pytest.mark.parametrize("bits", [128, 512])
def test_a_dma_master_beside_the_harts(bits):
    simulate(bits, either(line, part), seed=bits)


@pytest.mark.parametrize("bits", [128, 256])
def test_any_burst(bits):
    simulate(bits, either(line, part, anything, anything), seed=bits)


class BesideHarts(Module):
    """LiteX's DMA writer and the harts, who share the port."""

    def __init__(self, made, bits):
        self.harts, dma, port = (AXIInterface(data_width=BITS, address_width=32, id_width=4) for _ in range(3))
        words = wishbone.Interface(data_width=BITS, address_width=32, addressing="word")
        self.submodules.dma = WishboneDMAWriter(words, endianness="big")
        self.submodules.wider = made(port, bits)
        self.submodules += Wishbone2AXI(words, dma), AXIArbiter([self.harts, dma], port)
        self.bus = self.wider.bus

    def write(self, address, words):
        sink = self.dma.sink
        for number, word in enumerate(words):
            yield sink.address.eq(address // (BITS // 8) + number)
            yield sink.data.eq(word)
            yield sink.valid.eq(1)
            yield
            while not (yield sink.ready):
                yield
            yield sink.valid.eq(0)
            yield


def beside_harts(made):
    soc, chance = BesideHarts(made, 128), random.Random(5)
    memory = Memory(soc.bus, 128, random.Random(6))
    harts = Master(soc.harts, random.Random(7), line)
    words = [chance.getrandbits(BITS) for _ in range(21)]
    copied = DMA_PAGE + BITS // 8
    run_simulation(soc, [*harts.processes(memory), soc.write(copied, words), memory.writes(), memory.reads(), watch()])
    found = bytes(memory.bytes.get(copied + offset, 0) for offset in range(len(words) * BITS // 8))
    assert found == b"".join(word.to_bytes(BITS // 8, "little") for word in words)
    assert DMA_PAGE not in memory.bytes
    assert all(memory.bytes[address] == byte for address, byte in harts.bytes.items())


def test_litexs_dma_beside_the_harts():
    beside_harts(WiderPort)


class Converted(Module):
    """LiteX's converter, which takes bursts of whole words alone."""

    def __init__(self, port, bits):
        self.bus = AXIInterface(data_width=bits, address_width=port.address_width, id_width=port.id_width)
        self.submodules += AXIConverter(port, self.bus)


def test_a_converter_of_whole_words_alone_is_found():
    simulate(128, line, seed=1, made=Converted)
    with pytest.raises(AssertionError):
        simulate(128, either(line, part), seed=1, made=Converted)
    with pytest.raises(AssertionError):
        beside_harts(Converted)


@pytest.mark.parametrize(
    "mutation",
    [
        pytest.param(("beats.ends.eq(port.w.valid & port.w.ready)", "beats.ends.eq(0)"), id="lanes stand still"),
        pytest.param(("~kept & (reads != MOST_READS), reads == 0", "1, 1"), id="reads do not wait"),
        pytest.param(("kept.eq(~whole_burst)", "kept.eq(0)"), id="all reads are of whole words"),
        pytest.param(("narrow.addr[: words + lanes] == 0", "1"), id="words begin anywhere"),
        pytest.param(("narrow.len[:lanes] == self.ratio - 1", "1"), id="words end anywhere"),
        pytest.param(("after & container), after", "after & container), offset"), id="INCR stands still"),
        pytest.param(("kind != BURST_FIXED", "1"), id="FIXED goes on"),
        pytest.param(("kind == BURST_WRAP", "0"), id="WRAP goes on"),
    ],
)
def test_a_broken_port_is_found(mutation):
    """The module with an expression of its text changed."""
    text, broken = Path(wider_port.__file__).read_text(), {}
    assert text.count(mutation[0]) == 1
    exec(compile(text.replace(*mutation), wider_port.__file__, "exec"), broken)
    with pytest.raises((AssertionError, IndexError, RuntimeError, StopIteration)):
        simulate(128, either(line, part, anything, anything), seed=3, made=broken["WiderPort"])
