# SPDX-License-Identifier: Apache-2.0
"""BootRom: the SoC's ROM, whose image the simulator names when it starts."""

from pathlib import Path

from litex.soc.interconnect import wishbone
from migen import ClockSignal, Instance, Module

_VERILOG = Path(__file__).with_name("boot_rom.sv")


class BootRom(Module):
    """`size` bytes of ROM on the 64-bit Wishbone `bus`, filled from the file that the plusarg `+rom=FILE` names."""

    def __init__(self, platform, size):
        self.bus = wishbone.Interface(data_width=64, address_width=32, addressing="word", mode="r")
        platform.add_source(str(_VERILOG))
        self.specials += Instance(
            "boot_rom",
            p_WORDS=size // 8,
            i_clock=ClockSignal("sys"),
            i_address=self.bus.adr,
            i_strobe=self.bus.cyc & self.bus.stb,
            o_acknowledge=self.bus.ack,
            o_data=self.bus.dat_r,
        )
