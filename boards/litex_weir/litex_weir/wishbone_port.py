# SPDX-License-Identifier: Apache-2.0
"""WishbonePort: a Wishbone slave in front of an AXI4 port of Weir, for CPUs without memory buses of their own."""

from litex.soc.interconnect import wishbone
from litex.soc.interconnect.axi import AXIInterface
from migen import Cat, Constant, If, Module, Signal

UNANSWERED = 3
"""Writes that may go ahead of their AXI4 answers."""


class WishbonePort(Module):
    """One AXI4 transfer of one beat for each Wishbone access, in the `sys` clock domain.

    A write is acknowledged when Weir has taken it, so that the master goes on while it is being answered; a read waits
    until all writes before it are answered, as AXI4 keeps no order between the two. The master must hold an access
    until it is acknowledged, as LiteX's cache does; WishboneHold does it for one that may not.

    Parameters
    ----------
    data_bits, address_bits, id_bits : int
        Of the AXI4 port; `data_bits` are also those of the Wishbone bus.
    base, size : int
        First byte and bytes of memory on the AXI4 side, `size` a power of two. On Wishbone memory is from 0 on; address
        bits above it are ignored: the SoC's decoder has seen them.

    Attributes
    ----------
    bus : litex.soc.interconnect.wishbone.Interface, addressed in words of `data_bits`
    port : AXIInterface
    """

    def __init__(self, data_bits, address_bits, id_bits, base, size):
        self.bus = bus = wishbone.Interface(data_width=data_bits, address_width=32, addressing="word")
        self.port = port = AXIInterface(data_width=data_bits, address_width=address_bits, id_width=id_bits)

        word_bits = (data_bits // 8).bit_length() - 1
        offset_bits = size.bit_length() - 1
        address = Cat(Constant(0, word_bits), bus.adr[: offset_bits - word_bits]) + base
        for channel in (port.aw, port.ar):
            self.comb += [channel.addr.eq(address), channel.size.eq(word_bits), channel.burst.eq(1)]
        self.comb += [
            port.w.data.eq(bus.dat_w),
            port.w.strb.eq(bus.sel),
            port.w.last.eq(1),
            port.b.ready.eq(1),
            port.r.ready.eq(1),
            bus.dat_r.eq(port.r.data),
        ]

        asked, unanswered = Signal(), Signal(max=UNANSWERED + 1)
        address_taken, data_taken, read_taken, written = Signal(), Signal(), Signal(), Signal()
        writes, reads = Signal(), Signal()
        self.comb += [
            asked.eq(bus.cyc & bus.stb),
            writes.eq(asked & bus.we & (unanswered != UNANSWERED)),
            reads.eq(asked & ~bus.we & (unanswered == 0)),
            port.aw.valid.eq(writes & ~address_taken),
            port.w.valid.eq(writes & ~data_taken),
            port.ar.valid.eq(reads & ~read_taken),
            written.eq(writes & (address_taken | port.aw.ready) & (data_taken | port.w.ready)),
            bus.ack.eq(written | port.r.valid),
            # AXI4's SLVERR and DECERR
            bus.err.eq(port.r.valid & port.r.resp[1]),
        ]
        self.sync += [
            address_taken.eq(~written & (address_taken | (port.aw.valid & port.aw.ready))),
            data_taken.eq(~written & (data_taken | (port.w.valid & port.w.ready))),
            read_taken.eq(~port.r.valid & (read_taken | (port.ar.valid & port.ar.ready))),
            If(written & ~port.b.valid, unanswered.eq(unanswered + 1)),
            If(~written & port.b.valid, unanswered.eq(unanswered - 1)),
        ]
