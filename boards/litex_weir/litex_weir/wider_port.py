# SPDX-License-Identifier: Apache-2.0
"""WiderPort: an AXI4 bus made wider."""

from litex.soc.interconnect.axi import BURST_FIXED, BURST_INCR, BURST_WRAP, AXIInterface
from migen import Array, Case, Cat, If, Module, Mux, Replicate, Signal

MOST_READS = 64
"""Read bursts that may be under way."""


class WiderPort(Module):
    """An AXI4 bus with as wide a data bus as Weir's, in the `sys` clock domain.

    Bursts of whole words of the wider bus (INCR, of beats as wide as the narrow bus, first and last word whole) become
    bursts of such words; blocks of a cache are of this kind. All others, as a DMA master or a debugger sends them, keep
    their beats (AXI4 A3.4.1: narrow transfers), each in the lanes of its address.

    Latency 0, but that a write's data wait for its address, and its address for the last data of the write before. A
    beat of the narrow bus in each cycle. A read burst that keeps its beats waits until those before are answered, and
    those behind wait for it, as the lanes of its data are kept for one such burst.

    Parameters
    ----------
    port : AXIInterface
    bits : int
        Width of the data bus, a multiple of the port's by a power of two, at most 1024.

    Attributes
    ----------
    bus : AXIInterface, as `port` but for its data
    """

    def __init__(self, port, bits):
        self.bus = bus = AXIInterface(data_width=bits, address_width=port.address_width, id_width=port.id_width)
        self.bytes, self.ratio = port.data_width // 8, bits // port.data_width
        self._writes(port, bus)
        self._reads(port, bus)

    def _address(self, narrow, wide):
        """Connect an address channel but for its handshake; whether the burst is one of whole words."""
        whole = Signal()
        lanes = (self.ratio - 1).bit_length()
        words = self.bytes.bit_length() - 1
        self.comb += [
            whole.eq(
                (narrow.burst == BURST_INCR)
                & (narrow.size == words)
                & (narrow.addr[: words + lanes] == 0)
                & (narrow.len[:lanes] == self.ratio - 1)
            ),
            narrow.connect(wide, omit={"valid", "ready", "len", "size"}),
            wide.len.eq(Mux(whole, narrow.len[lanes:], narrow.len)),
            wide.size.eq(Mux(whole, words + lanes, narrow.size)),
        ]
        return whole

    def _writes(self, port, bus):
        beats = Beats(port.aw, self.bytes, self.ratio)
        self.submodules += beats
        whole_burst, busy, whole = self._address(port.aw, bus.aw), Signal(), Signal()
        first = [Signal(port.data_width) for _ in range(self.ratio - 1)]  # words of a wide one, but for the last
        strobes = [Signal(self.bytes) for _ in first]
        last_lane = Signal()
        self.comb += [
            bus.aw.valid.eq(port.aw.valid & ~busy),
            port.aw.ready.eq(bus.aw.ready & ~busy),
            beats.begins.eq(bus.aw.valid & bus.aw.ready),
            beats.ends.eq(port.w.valid & port.w.ready),
            last_lane.eq(beats.lane == self.ratio - 1),
            bus.w.valid.eq(port.w.valid & busy & (last_lane | ~whole)),
            port.w.ready.eq(busy & Mux(whole & ~last_lane, 1, bus.w.ready)),
            bus.w.last.eq(port.w.last),
            bus.w.data.eq(Cat(*[Mux(whole, word, port.w.data) for word in first], port.w.data)),
            port.b.valid.eq(bus.b.valid),
            port.b.resp.eq(bus.b.resp),
            port.b.id.eq(bus.b.id),
            bus.b.ready.eq(port.b.ready),
        ]
        lanes = [Replicate(beats.lane == lane, self.bytes) & port.w.strb for lane in range(self.ratio)]
        self.comb += bus.w.strb.eq(Mux(whole, Cat(*strobes, port.w.strb), Cat(*lanes)))
        self.sync += [
            If(beats.begins, busy.eq(1), whole.eq(whole_burst)),
            If(beats.ends & port.w.last, busy.eq(0)),
            If(
                beats.ends,
                Case(
                    beats.lane,
                    {n: [first[n].eq(port.w.data), strobes[n].eq(port.w.strb)] for n in range(self.ratio - 1)},
                ),
            ),
        ]

    def _reads(self, port, bus):
        beats = Beats(port.ar, self.bytes, self.ratio)
        self.submodules += beats
        whole_burst, kept = self._address(port.ar, bus.ar), Signal()  # kept: a burst with its own beats is under way
        reads, word, last_word, goes, ended = (
            Signal(max=MOST_READS + 1),
            Signal(max=self.ratio),
            *(Signal() for _ in "123"),
        )
        self.comb += [
            goes.eq(Mux(whole_burst, ~kept & (reads != MOST_READS), reads == 0)),
            bus.ar.valid.eq(port.ar.valid & goes),
            port.ar.ready.eq(bus.ar.ready & goes),
            beats.begins.eq(bus.ar.valid & bus.ar.ready),
            beats.ends.eq(port.r.valid & port.r.ready),
            last_word.eq(kept | (word == self.ratio - 1)),
            port.r.valid.eq(bus.r.valid),
            bus.r.ready.eq(port.r.ready & last_word),
            port.r.last.eq(bus.r.last & last_word),
            port.r.resp.eq(bus.r.resp),
            port.r.id.eq(bus.r.id),
            port.r.data.eq(
                Array(bus.r.data[n * port.data_width : (n + 1) * port.data_width] for n in range(self.ratio))[
                    Mux(kept, beats.lane, word)
                ]
            ),
            ended.eq(beats.ends & port.r.last),
        ]
        self.sync += [
            If(beats.begins & ~ended, reads.eq(reads + 1)),
            If(~beats.begins & ended, reads.eq(reads - 1)),
            If(beats.begins, kept.eq(~whole_burst)).Elif(ended, kept.eq(0)),
            If(beats.ends & ~kept, word.eq(Mux(last_word, 0, word + 1))),
        ]


class Beats(Module):
    """In which lane each beat of a burst is (AXI4 A3.4.1), of those that differ between a narrow bus and a wide one.

    Parameters
    ----------
    address : address channel of the narrow bus
    word_bytes, ratio : int
        Of the narrow bus, and words of it in one of the wide bus.

    Attributes
    ----------
    begins : Signal, the address is taken
    ends : Signal, a beat of the burst is taken
    lane : Signal(max=ratio), of the beat that comes, from the cycle after `begins` on
    """

    def __init__(self, address, word_bytes, ratio):
        self.begins, self.ends = Signal(), Signal()
        self.lane = Signal(max=ratio)

        offset_bits = (word_bytes * ratio - 1).bit_length()
        offset, after, step, container = (Signal(offset_bits) for _ in range(4))
        kind, size, length = Signal(2), Signal(3), Signal(4)
        self.comb += [
            self.lane.eq(offset[(word_bytes - 1).bit_length() :]),
            step.eq(1 << size),
            after.eq((offset & ~(step - 1)) + step),
            container.eq((length << size) | (step - 1)),
        ]
        self.sync += If(
            self.begins,
            offset.eq(address.addr[:offset_bits]),
            kind.eq(address.burst),
            size.eq(address.size),
            length.eq(address.len),
        ).Elif(
            self.ends & (kind != BURST_FIXED),
            offset.eq(Mux(kind == BURST_WRAP, (offset & ~container) | (after & container), after)),
        )
