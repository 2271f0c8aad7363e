# SPDX-License-Identifier: Apache-2.0
"""SimulationSoC: what the simulated SoCs have in the place of what only hardware has."""

from boot_rom import BootRom
from finisher import Finisher
from host import Host
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from memory_clock import MemoryClock
from migen import ClockDomain, Module
from sim_platform import SimulationPlatform

from litex_weir import add_weir
from litex_weir.dfi_handover import hold_dram_in_reset

ROM_BYTES = 0x10000


class _ClockAndReset(Module):
    def __init__(self, platform):
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]


class SimulationSoC(SoCCore):
    """A SoC with a clock and a reset from outside, a ROM whose image is read when the simulator starts, a console of
    byte streams, and CSRs by which software ends the run and reaches the host.

    Parameters
    ----------
    clock_hz : float
        Of the clock `sys`.
    observers : iterable of Path
        Verilog that tells the simulator what the harts and the controller do: retirement.sv, page_walks.sv,
        counter_snapshots.sv or others of their functions.
    divided_memory : bool
        Have a clock for the memory, `memory_clock`, that software can make slower.
    options : of SoCCore
    """

    def __init__(self, clock_hz, observers, divided_memory=False, **options):
        platform = SimulationPlatform()
        self.submodules.crg = _ClockAndReset(platform)
        SoCCore.__init__(self, platform, clk_freq=int(clock_hz), integrated_rom_size=0, uart_name="sim", **options)
        self.add_config("BIOS_NO_BUILD_TIME")
        self.add_config("BIOS_NO_CRC")  # it would take longer than everything else before the memory test
        self.submodules.rom = BootRom(platform, ROM_BYTES, self.bus.data_width)
        rom_region = SoCRegion(origin=self.cpu.mem_map["rom"], size=ROM_BYTES, mode="rx")
        self.bus.add_slave(name="rom", slave=self.rom.bus, region=rom_region)
        self.submodules.finisher = Finisher(platform.request("finisher"))
        self.submodules.host = Host(platform.request("host"))
        pads = platform.request("memory_clock")
        if divided_memory:
            self.submodules.memory_clock = MemoryClock(pads)
        else:
            self.comb += [pads.tick.eq(0), pads.divided.eq(0)]
        for source in observers:
            platform.add_source(str(source))

    def add_memory(self, phy, module, design, memtest_bytes, weir_options=(), litedram_options=()):
        """Put the memory of a simulated PHY behind a controller.

        Parameters
        ----------
        phy, module : with `violations`, the rules of the DRAM that were broken; its chips
        design : WeirDesign or None
            The controller; without one LiteDRAM's controller, crossbar and frontend take its place.
        memtest_bytes : int
            How much the BIOS tests.
        weir_options, litedram_options : of add_weir and of LiteX's add_sdram

        Returns Weir's core, or None.
        """
        self.submodules.ddrphy = phy
        self.comb += self.platform.request("violations").eq(phy.violations)
        core = None
        if design is not None:
            core = add_weir(self, phy, module, design, **dict(weir_options))
        else:
            self.add_sdram("sdram", phy=phy, module=module, **dict(litedram_options))
            hold_dram_in_reset(self.sdram.dfii)
        self.add_constant("MEMTEST_DATA_SIZE", memtest_bytes)
        self.add_constant("MEMTEST_ADDR_SIZE", memtest_bytes)
        return core
