# SPDX-License-Identifier: Apache-2.0
"""BootRom: the SoC's ROM, whose image the simulator names when it starts."""

from pathlib import Path

from litex.soc.interconnect import wishbone
from migen import ClockSignal, Instance, Module

_VERILOG = Path(__file__).with_name("boot_rom.sv")


class BootRom(Module):
    """`size` bytes of ROM on a Wishbone `bus` of `data_bits`, filled from the file that `+rom=FILE` names."""

    def __init__(self, platform, size, data_bits=64):
        self.bus = wishbone.Interface(data_width=data_bits, address_width=32, addressing="word", mode="r")
        platform.add_source(str(_VERILOG))
        self.specials += Instance(
            "boot_rom",
            p_DATA_BITS=data_bits,
            p_WORDS=size * 8 // data_bits,
            i_clock=ClockSignal("sys"),
            i_address=self.bus.adr,
            i_strobe=self.bus.cyc & self.bus.stb,
            o_acknowledge=self.bus.ack,
            o_data=self.bus.dat_r,
        )
