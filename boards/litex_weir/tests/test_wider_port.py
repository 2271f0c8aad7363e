# SPDX-License-Identifier: Apache-2.0
"""WiderPort: blocks of Rocket's caches, written and read through it in any order of readiness, by migen's simulator."""

import random

import pytest
from litex.soc.interconnect.axi import BURST_INCR, AXIInterface
from migen import passive, run_simulation

from litex_weir.rocket import LINE_BITS, WiderPort

LINE_BYTES = LINE_BITS // 8
BEAT_BYTES = 8
LINES = 60


@passive
def memory(bus, bits, contents, chance):
    """Answers bursts of whole lines on the wide `bus`, a byte at each address of `contents`; ready by `chance`."""
    beats = LINE_BITS // bits
    size = (bits // 8).bit_length() - 1
    line = {}
    burst, written, answers, reads = None, 0, [], []
    while True:
        for name in ("aw", "ar"):
            channel = getattr(bus, name)
            if (yield channel.valid) and (yield channel.ready):
                shape = ((yield channel.len), (yield channel.size), (yield channel.addr) % LINE_BYTES)
                assert shape == (beats - 1, size, 0), f"{name}: len, size and place in the line are {shape}"
                taken = ((yield channel.addr), (yield channel.id))
                if name == "aw":
                    burst, written = taken, 0
                else:
                    reads += [(*taken, beat) for beat in range(beats)]
        if (yield bus.w.valid) and (yield bus.w.ready):
            data, strobes = (yield bus.w.data), (yield bus.w.strb)
            for byte in range(bits // 8):
                if strobes >> byte & 1:
                    line[burst[0] + written * bits // 8 + byte] = data >> 8 * byte & 0xFF
            written += 1
            assert (yield bus.w.last) == (written == beats)
            if written == beats:
                contents.update(line)
                answers.append(burst[1])
                burst = None
        if (yield bus.b.valid) and (yield bus.b.ready):
            answers.pop(0)
        if (yield bus.r.valid) and (yield bus.r.ready):
            reads.pop(0)
        yield bus.aw.ready.eq(burst is None and chance.random() < 0.5)
        yield bus.w.ready.eq(burst is not None and written < beats and chance.random() < 0.5)
        yield bus.ar.ready.eq(chance.random() < 0.5)
        yield bus.b.valid.eq(bool(answers) and ((yield bus.b.valid) or chance.random() < 0.7))
        yield bus.b.id.eq(answers[0] if answers else 0)
        if reads:
            address, identity, beat = reads[0]
            data = bytes(contents.get(address + beat * bits // 8 + byte, 0) for byte in range(bits // 8))
            yield bus.r.data.eq(int.from_bytes(data, "little"))
            yield bus.r.id.eq(identity)
            yield bus.r.last.eq(beat == beats - 1)
        # an offer stands until it is taken
        yield bus.r.valid.eq(bool(reads) and ((yield bus.r.valid) or chance.random() < 0.7))
        yield


def offer(channel, **fields):
    for name, value in fields.items():
        yield getattr(channel, name).eq(value)
    yield channel.valid.eq(1)
    yield
    while not (yield channel.ready):
        yield
    yield channel.valid.eq(0)


def harts(bus, chance):
    """Writes and reads lines by chance, as Rocket does, and compares with what was written."""
    expected = {}
    beats = LINE_BYTES // BEAT_BYTES
    shape = {"len": beats - 1, "size": 3, "burst": BURST_INCR}
    for _ in range(LINES):
        address, identity = 0x8000_0000 + LINE_BYTES * chance.randrange(8), chance.randrange(16)
        if chance.random() < 0.5:
            data = chance.randbytes(LINE_BYTES)
            yield from offer(bus.aw, addr=address, id=identity, **shape)
            for beat in range(beats):
                word = data[beat * BEAT_BYTES : (beat + 1) * BEAT_BYTES]
                last = beat == beats - 1
                yield from offer(bus.w, data=int.from_bytes(word, "little"), strb=0xFF, last=last)
            yield bus.b.ready.eq(1)
            yield
            while not (yield bus.b.valid):
                yield
            assert (yield bus.b.id) == identity
            yield bus.b.ready.eq(0)
            expected[address] = data
        else:
            yield from offer(bus.ar, addr=address, id=identity, **shape)
            data = b""
            while len(data) < LINE_BYTES:
                yield bus.r.ready.eq(chance.random() < 0.6)
                yield
                if (yield bus.r.valid) and (yield bus.r.ready):
                    data += (yield bus.r.data).to_bytes(BEAT_BYTES, "little")
                    assert (yield bus.r.id) == identity
                    assert (yield bus.r.last) == (len(data) == LINE_BYTES)
            yield bus.r.ready.eq(0)
            assert data == expected.get(address, bytes(LINE_BYTES)), f"line at {address:#x}"
        yield


@pytest.mark.parametrize("bits", [128, 256, 512])
def test_lines_come_through_whole(bits):
    port = AXIInterface(data_width=64, address_width=32, id_width=4)
    wider = WiderPort(port, bits)
    contents = {}
    run_simulation(
        wider, [harts(port, random.Random(bits)), memory(wider.bus, bits, contents, random.Random(bits + 1))]
    )
    assert contents
