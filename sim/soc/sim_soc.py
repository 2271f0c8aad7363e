# SPDX-License-Identifier: Apache-2.0
"""SimulatedSoC: Rocket harts, Weir (or LiteDRAM's controller), a PHY and two ranks of DDR3-1600 in simulation."""

from pathlib import Path

from axi_log import AxiLog
from boot_rom import BootRom
from dfi_checker import DfiChecker
from finisher import Finisher
from host import Host
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain, Module
from sim_phy import PHASES, SimulatedPHY
from sim_platform import SimulationPlatform

from litex_weir import add_weir, rocket
from litex_weir.core import hold_dram_in_reset
from litex_weir.modules import MT41J128M8JP125

SYS_CLOCK_HZ = 200e6
"""Clock of the harts, the bus and the controller: a quarter of DDR3-1600's 800 MHz."""

RANKS, DATA_BITS = 2, 64
PART = "MT41J128M8JP-125"
ROM_BYTES = 0x10000
REGISTERS_ORIGIN = 0x2000_0000
MEMTEST_BYTES = 8 * 1024
RETIREMENT = Path(__file__).with_name("retirement.sv")


class _ClockAndReset(Module):
    def __init__(self, platform):
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]


class SimulatedSoC(SoCCore):
    """The SoC of `make run`.

    Parameters
    ----------
    harts : int
        Rocket harts: 1, 2 or 4.
    design : WeirDesign or None
        The controller; without one LiteDRAM's controller, crossbar and AXI frontend take its place.
    dfi_checker : bool
        Let LiteDRAM's DFITimingsChecker watch the DFI too.
    """

    def __init__(self, harts, design=None, dfi_checker=False):
        rocket.select(harts)
        platform = SimulationPlatform()
        self.submodules.crg = _ClockAndReset(platform)
        SoCCore.__init__(
            self,
            platform,
            clk_freq=int(SYS_CLOCK_HZ),
            bus_data_width=64,
            cpu_type="rocket",
            cpu_variant="linux",
            integrated_rom_size=0,
            uart_name="sim",
        )
        self.add_config("BIOS_NO_BUILD_TIME")
        self.add_config("BIOS_NO_CRC")  # it would take longer than everything else before the memory test
        self.submodules.rom = BootRom(platform, ROM_BYTES)
        rom_region = SoCRegion(origin=self.cpu.mem_map["rom"], size=ROM_BYTES, mode="rx")
        self.bus.add_slave(name="rom", slave=self.rom.bus, region=rom_region)
        self.submodules.finisher = Finisher(platform.request("finisher"))
        self.submodules.host = Host(platform.request("host"))
        platform.add_source(str(RETIREMENT))

        module = MT41J128M8JP125(SYS_CLOCK_HZ, f"1:{PHASES}")
        self.submodules.ddrphy = phy = SimulatedPHY(module, PART, RANKS, DATA_BITS, SYS_CLOCK_HZ)
        self.comb += platform.request("violations").eq(phy.violations)
        if design is not None:
            core = add_weir(self, phy, module, design, registers_origin=REGISTERS_ORIGIN)
            memory_bus = core.ports[0]
        else:
            self.add_sdram("sdram", phy=phy, module=module)
            hold_dram_in_reset(self.sdram.dfii)
            memory_bus = self.cpu.memory_buses[0]
        self.add_constant("MEMTEST_DATA_SIZE", MEMTEST_BYTES)
        self.add_constant("MEMTEST_ADDR_SIZE", MEMTEST_BYTES)
        self.submodules += AxiLog(platform, memory_bus)
        if dfi_checker:
            self.submodules += DfiChecker(phy.dfi, module, phy.settings, SYS_CLOCK_HZ)
