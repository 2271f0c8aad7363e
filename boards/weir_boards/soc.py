# SPDX-License-Identifier: Apache-2.0
"""BoardSoC: the SoC that every board gets, with Weir or with LiteDRAM."""

from litedram.phy import ECP5DDRPHY
from litex.soc.cores.led import LedChaser
from litex.soc.integration.soc_core import SoCCore

from litex_weir import WeirDesign, add_weir, rocket
from weir_boards.clocks import Clocks

L2_CACHE_BYTES = 8192
"""Of the cache before the controller, Weir's and LiteDRAM's alike, where the CPU has no memory bus."""

ROCKET_PORT_BITS = 128
"""A burst of an x16 DDR3 is 16 bytes, a line of Weir and a word of LiteDRAM's port: neither wants a converter then."""

ROCKET_REGISTERS = 0x2000_0000
"""Of Weir, as in the simulated SoC; where the SoC of VexRiscv has them Rocket has its main_ram."""

ROM_BYTES = 0x2_0000
"""At most; LiteX makes the ROM as large as the BIOS is."""


class BoardSoC(SoCCore):
    """CPU, BIOS, UART, timer, LEDs and DDR3.

    Parameters
    ----------
    board : Board
    cpu : LiteX's name of one of the board's CPUs, whose variant `linux` it gets; Rocket with one hart
    controller : one of weir_boards.board.CONTROLLERS
    design : folder of the Weir that Board.build names, None for LiteDRAM

    Raises BoardError or WeirError when the board has no such build or the design is not made for it.
    """

    def __init__(self, board, cpu, controller, design=None):
        design = WeirDesign.load(design) if design is not None else None
        board.check(cpu, controller, design)
        hz = board.build(cpu, controller)[1] * 1e6
        platform = board.platform()
        self.crg = Clocks(platform, board, hz)
        registers, options = None, {}
        if cpu == "rocket":
            rocket.select(harts=1, variant="linux", bits=ROCKET_PORT_BITS)
            registers, options = ROCKET_REGISTERS, {"bus_data_width": 64}
        SoCCore.__init__(
            self,
            platform,
            hz,
            ident=f"Weir on {board.title}" if design else f"LiteDRAM on {board.title}",
            cpu_type=cpu,
            cpu_variant="linux",
            integrated_rom_size=ROM_BYTES,
            **options,
        )
        pads = platform.request("ddram")
        self.ddrphy = ECP5DDRPHY(pads, sys_clk_freq=hz, **board.phy_options)
        board.set_termination(self.ddrphy.settings)
        self.comb += [self.crg.stop.eq(self.ddrphy.init.stop), self.crg.reset.eq(self.ddrphy.init.reset)]
        board.prepare(self, pads)
        module = board.dram(hz, "1:2")
        if design is None:
            self.add_sdram("sdram", phy=self.ddrphy, module=module, l2_cache_size=L2_CACHE_BYTES)
        else:
            add_weir(self, self.ddrphy, module, design, registers_origin=registers, l2_cache_size=L2_CACHE_BYTES)
        self.leds = LedChaser(pads=board.leds(self), sys_clk_freq=hz)
