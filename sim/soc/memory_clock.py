# SPDX-License-Identifier: Apache-2.0
"""MemoryClock: the memory runs on every n-th cycle of the harts' clock, so that it looks to them as to harts that are
n times as fast. All of it is slower alike, refreshes too; nothing in the controller or the DRAM knows of it."""

from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import AutoCSR, CSRStorage
from migen import ClockDomain, If, Module, ResetSignal, Signal

REQUESTS, ANSWERS = ("aw", "w", "ar"), ("b", "r")


class MemoryClock(Module, AutoCSR):
    """The clock domain `memory`, whose edges are edges of `sys`: each n-th, by the CSR `divider` (1 after reset; 0
    counts as 1). A new value holds from the next edge of `memory` on, and may be written while memory is in use.

    Parameters
    ----------
    pads : `tick` tells the simulator that the coming edge of `sys` is one of `memory` too, and it drives `clk`;
        `divided` tells it whether `memory` is slower, as the CSR says

    Attributes
    ----------
    domain : name of the clock domain
    """

    domain = "memory"

    def __init__(self, pads):
        self.divider = CSRStorage(7, reset=1, description="Cycles of the harts for each of the memory.")
        self.clock_domains.cd_memory = ClockDomain(self.domain)
        self._tick = Signal()
        left = Signal(7)
        self.comb += [
            self._tick.eq(left == 0),
            pads.tick.eq(self._tick),
            pads.divided.eq(self.divider.storage > 1),
            self.cd_memory.clk.eq(pads.clk),
            self.cd_memory.rst.eq(ResetSignal("sys")),
        ]
        self.sync += If(~self._tick, left.eq(left - 1)).Elif(
            self.divider.storage != 0, left.eq(self.divider.storage - 1)
        )

    def crossing(self, bus):
        """A module whose `bus` is `bus` as the domain `memory` sees it."""
        return _Crossing(bus, self._tick)


class _Crossing(Module):
    """An AXI4 or AXI4-Lite `bus` of a manager in `sys`, as a `bus` for a subordinate in `memory`.

    Requests pass at the edges that both domains have, and at no other is the manager told that they are taken. An
    answer is on offer from the edge on at which it comes, and taken once; the subordinate hears of it at its next edge.
    With a divider of 1 everything passes as it is, without a cycle of latency.
    """

    def __init__(self, bus, tick):
        if isinstance(bus, axi.AXILiteInterface):
            self.bus = axi.AXILiteInterface(data_width=bus.data_width, address_width=bus.address_width)
        else:
            self.bus = axi.AXIInterface(
                data_width=bus.data_width, address_width=bus.address_width, id_width=bus.id_width
            )
        for name in REQUESTS:
            source, sink = getattr(bus, name), getattr(self.bus, name)
            self.comb += [source.connect(sink, omit={"ready"}), source.ready.eq(sink.ready & tick)]
        for name in ANSWERS:
            source, sink = getattr(self.bus, name), getattr(bus, name)
            taken = Signal(name=f"{name}_taken")
            self.comb += [
                source.connect(sink, omit={"valid", "ready"}),
                sink.valid.eq(source.valid & ~taken),
                source.ready.eq(sink.ready | taken),
            ]
            self.sync += taken.eq(~tick & (taken | (sink.valid & sink.ready)))
