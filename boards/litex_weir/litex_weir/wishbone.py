# SPDX-License-Identifier: Apache-2.0
"""Weir on Wishbone: for CPUs that have no AXI4 memory bus, and for the Wishbone ports of a standalone core."""

from litex.soc.interconnect import wishbone
from migen import FullMemoryWE, If, Module, Signal

from litex_weir.errors import WeirError

_INCREMENTING = 0b01  # AxBURST of a burst whose addresses rise (AMBA AXI A3.4.1)


class WishboneToAxi(Module):
    """One access of a Wishbone bus after the other as AXI4 bursts of one beat with id 0, in the `sys` clock domain.

    An access begins in the cycle in which the bus asks, with no register on the way, and is acknowledged with the AXI4
    response to it: a read with its data, a write once Weir answers for it. A response other than OKAY becomes `err`.

    Parameters
    ----------
    bus : wishbone.Interface
        Word-addressed and as wide as the port. Classic cycles; a burst is a row of them.
    port : AXIInterface
    base : int
        Byte address on `port` of the first byte of memory, a multiple of `size`.
    size : int
        Bytes of memory, a power of two. Address bits of `bus` above them are not looked at.

    Raises WeirError if a width, the base or the size does not fit.
    """

    def __init__(self, bus, port, base, size):
        if bus.data_width != port.data_width:
            raise WeirError(f"Wishbone: data width {bus.data_width}, but the AXI4 port has {port.data_width}")
        if size <= 0 or size & (size - 1) or base % size:
            raise WeirError(
                f"Wishbone: memory of 0x{size:x} bytes at 0x{base:x}: the size must be a power of two, the base a "
                "multiple of it"
            )
        word_bytes = port.data_width // 8
        word_bits = (word_bytes - 1).bit_length()
        offset_bits = (size - 1).bit_length()

        asked = Signal()
        address_taken, data_taken = Signal(), Signal()  # of the write, or address_taken of the read, under way
        self.comb += asked.eq(bus.cyc & bus.stb)
        for channel in (port.aw, port.ar):
            self.comb += [
                channel.addr.eq(base),
                channel.addr[word_bits:offset_bits].eq(bus.adr),
                channel.size.eq(word_bits),
                channel.burst.eq(_INCREMENTING),
            ]
        self.comb += [
            port.ar.valid.eq(asked & ~bus.we & ~address_taken),
            port.aw.valid.eq(asked & bus.we & ~address_taken),
            port.w.valid.eq(asked & bus.we & ~data_taken),
            port.w.data.eq(bus.dat_w),
            port.w.strb.eq(bus.sel),
            port.w.last.eq(1),
            port.r.ready.eq(1),
            port.b.ready.eq(1),
            bus.dat_r.eq(port.r.data),
            If(port.r.valid, bus.ack.eq(port.r.resp == 0), bus.err.eq(port.r.resp != 0)),
            If(port.b.valid, bus.ack.eq(port.b.resp == 0), bus.err.eq(port.b.resp != 0)),
        ]
        self.sync += [
            If((port.ar.valid & port.ar.ready) | (port.aw.valid & port.aw.ready), address_taken.eq(1)),
            If(port.w.valid & port.w.ready, data_taken.eq(1)),
            If(bus.ack | bus.err, address_taken.eq(0), data_taken.eq(0)),
        ]


class CachedBus(Module):
    """A Wishbone bus of any width before an AXI4 port, with LiteX's L2 cache between them or without one.

    Parameters
    ----------
    bus_bits : int
        Data width of the Wishbone bus.
    port : AXIInterface
    base, size : as of WishboneToAxi
    cache_bytes : int
        Size of the cache, a power of two whose lines are as wide as the port; 0 for none.

    Attributes
    ----------
    bus : wishbone.Interface, word-addressed

    Raises WeirError if something does not fit.
    """

    def __init__(self, bus_bits, port, base, size, cache_bytes):
        least = 2 * max(bus_bits, port.data_width) // 8
        if cache_bytes and (cache_bytes < least or cache_bytes & (cache_bytes - 1)):
            raise WeirError(f"L2 cache of {cache_bytes} bytes: must be 0 or a power of two of at least {least}")
        self.bus = bus = wishbone.Interface(data_width=bus_bits, address_width=32, addressing="word")
        wide = wishbone.Interface(data_width=port.data_width, address_width=32, addressing="word")
        if cache_bytes:
            words = cache_bytes // (bus_bits // 8)
            # memories without byte enables, which FPGAs have as block RAM
            self.submodules.cache = FullMemoryWE()(wishbone.Cache(words, bus, wide, reverse=False))
        else:
            self.submodules.converter = wishbone.Converter(bus, wide)
        self.submodules.bridge = WishboneToAxi(wide, port, base, size)
