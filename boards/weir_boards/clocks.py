# SPDX-License-Identifier: Apache-2.0
"""Clocks: the clock domains of a SoC with ECP5DDRPHY."""

from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from migen import ClockDomain, If, Instance, Signal
from migen.genlib.resetsync import AsyncResetSynchronizer

from litex_weir import ecp5_clock
from litex_weir.design import CLOCK_TOLERANCE

INIT_HZ = 25e6
POWER_ON_CYCLES = 2**16 - 1


class Clocks(LiteXModule):
    """Clock domains `sys`, `sys2x` (the DRAM's clock, on the edge clock network), `init` (the PHY's start) and `por`
    (the oscillator, without reset).

    Parameters
    ----------
    platform, board
    sys_hz : float
        Of `sys`; the PLL must come within CLOCK_TOLERANCE of it. ValueError if it cannot.

    Attributes
    ----------
    rst : Signal, resets the SoC
    stop, reset : Signals, for the PHY's start
    reset_n : Signal, the board's button, low when pressed
    """

    def __init__(self, platform, board, sys_hz):
        self.rst, self.stop, self.reset, self.reset_n = Signal(), Signal(), Signal(), Signal()
        self.cd_por = ClockDomain(reset_less=True)
        self.cd_init = ClockDomain()
        self.cd_sys = ClockDomain()
        self.cd_sys2x = ClockDomain()
        self.cd_sys2x_i = ClockDomain()
        oscillator = platform.request(board.clock)
        self.comb += [self.cd_por.clk.eq(oscillator), self.reset_n.eq(platform.request(board.reset))]

        waiting = Signal(max=POWER_ON_CYCLES + 1, reset=POWER_ON_CYCLES)
        self.sync.por += If(waiting != 0, waiting.eq(waiting - 1))

        self.pll = pll = ECP5PLL()
        self.comb += pll.reset.eq((waiting != 0) | ~self.reset_n | self.rst)
        pll.register_clkin(oscillator, board.clock_hz)
        ecp5_clock.mend(pll)
        pll.create_clkout(self.cd_sys2x_i, 2 * sys_hz, margin=CLOCK_TOLERANCE)
        pll.create_clkout(self.cd_init, INIT_HZ, margin=0.1)

        edge_clock = self.cd_sys2x_i.clk
        if board.edge_clock_bridge:
            edge_clock = Signal()
            self.specials += Instance("ECLKBRIDGECS", i_CLK0=self.cd_sys2x_i.clk, i_SEL=0, o_ECSOUT=edge_clock)
        self.specials += [
            Instance("ECLKSYNCB", i_ECLKI=edge_clock, i_STOP=self.stop, o_ECLKO=self.cd_sys2x.clk),
            Instance(
                "CLKDIVF",
                p_DIV="2.0",
                i_ALIGNWD=0,
                i_CLKI=self.cd_sys2x.clk,
                i_RST=self.reset,
                o_CDIVX=self.cd_sys.clk,
            ),
            AsyncResetSynchronizer(self.cd_sys, ~pll.locked | self.reset),
        ]
