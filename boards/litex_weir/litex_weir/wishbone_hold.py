# SPDX-License-Identifier: Apache-2.0
"""WishboneHold: lets a Wishbone master give an access up, before a slave that wants it held until it is answered."""

from litex.soc.interconnect import wishbone
from migen import If, Module, Mux, Signal


class WishboneHold(Module):
    """A Wishbone master's accesses, each held until the slave has answered it, in the `sys` clock domain.

    A master may end its cycle at any time, by CYC or STB (Wishbone B4, 3.1.4). The slave still sees the access that it
    was offered, unchanged, until it answers; the answer is then nobody's. What the master asks meanwhile waits. A write
    that is given up is done whole or not at all. An access that is not given up takes no cycle longer.

    Parameters
    ----------
    master : litex.soc.interconnect.wishbone.Interface
        Classic cycles; CTI and BTE are not looked at.

    Attributes
    ----------
    bus : litex.soc.interconnect.wishbone.Interface, to the slave, as `master`
    """

    def __init__(self, master):
        self.bus = bus = wishbone.Interface.like(master)

        asked, answered = Signal(), Signal()
        waiting, given_up = Signal(), Signal()  # for the slave's answer; and the master no longer is
        self.comb += [
            asked.eq(master.cyc & master.stb),
            answered.eq(bus.ack | bus.err),
            bus.cyc.eq(asked | waiting),
            bus.stb.eq(bus.cyc),
            master.dat_r.eq(bus.dat_r),
            master.ack.eq(bus.ack & asked & ~given_up),
            master.err.eq(bus.err & asked & ~given_up),
        ]
        for name in ("adr", "we", "sel", "dat_w"):
            asks = getattr(master, name)
            held = Signal.like(asks)
            self.comb += getattr(bus, name).eq(Mux(waiting, held, asks))
            self.sync += If(~waiting, held.eq(asks))
        self.sync += [
            waiting.eq(bus.cyc & ~answered),
            given_up.eq(waiting & ~answered & (given_up | ~asked)),
        ]
