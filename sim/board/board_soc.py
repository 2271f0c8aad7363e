# SPDX-License-Identifier: Apache-2.0
"""SimulatedBoard: the SoC of an ECP5 board, with the PHY and the DRAM behind its DFI simulated.

CPU, bus, L2 cache, DFI injector, controller and the DRAM's geometry are those of the board's target; in the place of
what only the FPGA has stand a clock from outside, a ROM whose image is read when the simulator starts, a console of
byte streams, and SimulatedEcp5Phy.
"""

from pathlib import Path

from axi_log import AxiLog
from boot_rom import BootRom
from ecp5_phy import SimulatedEcp5Phy
from finisher import Finisher
from host import Host
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain, Module
from sim_platform import SimulationPlatform

from litex_weir import add_weir
from litex_weir.core import hold_dram_in_reset
from weir_boards.soc import L2_CACHE_BYTES

ROM_BYTES = 0x10000
MEMTEST_BYTES = 16 * 1024
RETIREMENT = Path(__file__).with_name("vexriscv_retirement.sv")


class _ClockAndReset(Module):
    def __init__(self, platform):
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]


class SimulatedBoard(SoCCore):
    """The SoC of a board in simulation, with VexRiscv (variant linux).

    Parameters
    ----------
    board : weir_boards.board.Board
    controller : one of weir_boards.board.CONTROLLERS
    design : WeirDesign or None
        The Weir that Board.build names, None for LiteDRAM.

    Raises BoardError or WeirError when the board has no such build or the design is not made for it.
    """

    def __init__(self, board, controller, design=None):
        board.check("vexriscv", controller, design)
        hz = board.build("vexriscv", controller)[1] * 1e6
        platform = SimulationPlatform()
        self.submodules.crg = _ClockAndReset(platform)
        SoCCore.__init__(
            self,
            platform,
            clk_freq=int(hz),
            cpu_type="vexriscv",
            cpu_variant="linux",
            integrated_rom_size=0,
            uart_name="sim",
        )
        self.add_config("BIOS_NO_BUILD_TIME")
        self.add_config("BIOS_NO_CRC")  # it would take longer than everything else before the memory test
        self.submodules.rom = BootRom(platform, ROM_BYTES, self.bus.data_width)
        rom_region = SoCRegion(origin=self.cpu.mem_map["rom"], size=ROM_BYTES, mode="rx")
        self.bus.add_slave(name="rom", slave=self.rom.bus, region=rom_region)
        self.submodules.finisher = Finisher(platform.request("finisher"))
        self.submodules.host = Host(platform.request("host"))
        platform.add_source(str(RETIREMENT))

        pads = board.platform().request("ddram")
        module = board.dram(hz, "1:2")
        part = f"{board.dram.__name__}-125"
        self.submodules.ddrphy = phy = SimulatedEcp5Phy(pads, module, part, hz, board.phy_options)
        self.comb += platform.request("violations").eq(phy.violations)
        if design is not None:
            core = add_weir(self, phy, module, design, l2_cache_size=L2_CACHE_BYTES)
            self.submodules += AxiLog(platform, core.ports[0])
        else:
            self.add_sdram("sdram", phy=phy, module=module, l2_cache_size=L2_CACHE_BYTES)
            hold_dram_in_reset(self.sdram.dfii)
        self.add_constant("MEMTEST_DATA_SIZE", MEMTEST_BYTES)
        self.add_constant("MEMTEST_ADDR_SIZE", MEMTEST_BYTES)
