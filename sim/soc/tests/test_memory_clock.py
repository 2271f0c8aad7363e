# SPDX-License-Identifier: Apache-2.0
"""The memory's clock: what passes between it and that of the harts, by migen's simulator, and how long loads take."""

import json
import random
import re

import memory_clock
import pytest
from conftest import ONE_HART
from litex.soc.interconnect import axi
from memory_clock import ANSWERS, REQUESTS, MemoryClock
from migen import ClockDomain, Signal, run_simulation

CYCLES = 2000
PAYLOADS = {"aw": "addr", "w": "data", "ar": "addr", "b": "resp", "r": "data"}
BUSES = {
    "axi": lambda: axi.AXIInterface(data_width=64, address_width=32, id_width=4),
    "axi-lite": lambda: axi.AXILiteInterface(data_width=32, address_width=32),
}


class Pads:
    """Those of the simulator, which drives no clock here: what is in `memory` is played, and acts where `tick` says."""

    def __init__(self):
        self.tick, self.clk, self.divided = Signal(), Signal(), Signal()


class Bench:
    """A crossing between a manager in `sys` and a subordinate in `memory`, both ready or not by chance.

    `sent` and `got` are what has passed by channel: {name: [payload]}; `ticks` counts the edges of `memory`.
    """

    def __init__(self, bus, divider, seed):
        self.random = random.Random(seed)
        self.pads = Pads()
        self.clock = MemoryClock(self.pads)
        self.clock.clock_domains.sys = ClockDomain("sys")
        self.clock.comb += self.clock.divider.storage.eq(divider)
        self.clock.submodules.crossing = crossing = self.clock.crossing(bus)
        self.ends = [(name, getattr(bus, name), getattr(crossing.bus, name)) for name in REQUESTS]
        self.ends += [(name, getattr(crossing.bus, name), getattr(bus, name)) for name in ANSWERS]
        self.sent = {name: [] for name in PAYLOADS}
        self.got = {name: [] for name in PAYLOADS}
        self.ticks = 0

    def play(self):
        """Both sides; what is read in a cycle is what was there before the edge at its end."""
        offers = dict.fromkeys(PAYLOADS)
        for _ in range(CYCLES):
            tick = yield self.pads.tick
            self.ticks += tick
            for name, source, sink in self.ends:
                if tick or name in REQUESTS:
                    yield from self.send(name, source)
                if tick or name in ANSWERS:
                    offers[name] = yield from self.receive(name, sink, offers[name])
            yield

    def send(self, name, source):
        payload = getattr(source, PAYLOADS[name])
        offered = yield source.valid
        if offered and (yield source.ready):
            self.sent[name].append((yield payload))
            offered = False
        if not offered:
            yield payload.eq(self.random.getrandbits(len(payload)))
            yield source.valid.eq(self.random.random() < 0.7)

    def receive(self, name, sink, offer):
        """What is on offer and was not taken: it must be so again."""
        value = (yield getattr(sink, PAYLOADS[name])) if (yield sink.valid) else None
        assert offer is None or value == offer, f"{name}: an offer was taken back"
        ready = yield sink.ready
        if ready and value is not None:
            self.got[name].append(value)
        yield sink.ready.eq(self.random.random() < 0.5)
        return None if ready else value


def passes(bus, divider, seed):
    """Lets traffic pass, and checks that each transfer passes once, in order."""
    bench = Bench(BUSES[bus](), divider, seed)
    run_simulation(bench.clock, bench.play())
    for name, sent in bench.sent.items():
        got = bench.got[name]
        # the manager has an answer before the subordinate hears of it
        assert got[: len(sent)] == sent and len(got) - len(sent) in ((0, 1) if name in ANSWERS else (0,)), name
        assert len(sent) > 0.2 * bench.ticks, name
    return bench


@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("divider", [0, 1, 2, 3, 16])
def test_each_transfer_passes_once(bus, divider):
    bench = passes(bus, divider, seed=divider)
    assert abs(bench.ticks - CYCLES / max(divider, 1)) <= 1


@pytest.mark.parametrize("side", ["requests", "answers"])
def test_a_transfer_too_many_is_seen(monkeypatch, side):
    """A crossing that tells the manager at once that a request is taken, or that offers an answer until the edge."""
    whole = memory_clock._Crossing

    class Broken(whole):
        def __init__(self, bus, tick):
            super().__init__(bus, tick)
            for name in {"requests": REQUESTS, "answers": ANSWERS}[side]:
                source, sink = getattr(bus, name), getattr(self.bus, name)
                self.comb += source.ready.eq(sink.ready) if side == "requests" else source.valid.eq(sink.valid)

    monkeypatch.setattr(memory_clock, "_Crossing", Broken)
    with pytest.raises(AssertionError):
        passes("axi", 4, seed=1)
    passes("axi", 1, seed=1)


def test_loads_take_as_many_times_as_long(tmp_path):
    """What the memory takes of a load grows with the divider, refreshes and all; the harts' own part does not grow. The
    summary has all time with a divider."""
    summary = tmp_path / "summary.json"
    run = ONE_HART.boot("divided", "--summary", summary)
    assert run.code == 0, run.console + run.messages
    cycles = {int(d): int(c) for d, c in re.findall(r"^divider (\d+): (\d+) cycles$", run.console, re.MULTILINE)}
    assert list(cycles) == [1, 4, 16, 64]
    of_memory = (cycles[64] - cycles[16]) / 48
    of_harts = cycles[1] - of_memory
    assert of_harts > 0
    for divider, took in cycles.items():
        assert -0.03 * took < took - divider * of_memory < 1.1 * of_harts, cycles
    slowed = json.loads(summary.read_text())["slowed"]
    expected = sum(took for divider, took in cycles.items() if divider > 1)
    # each pass a few cycles before its first and after its last reading of the cycle counter
    assert expected < slowed["cycles"] < expected + 3 * 1000
    assert 3 * 1024 * 4 < slowed["instructions"][0] < slowed["cycles"]
