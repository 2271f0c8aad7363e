# SPDX-License-Identifier: Apache-2.0
"""SimulatedBoard: the SoC of an ECP5 board, with the PHY and the DRAM behind its DFI simulated.

CPU, bus, L2 cache, DFI injector, controller and the DRAM's geometry are those of the board's target; in the place of
what only the FPGA has stand a clock from outside, a ROM whose image is read when the simulator starts, a console of
byte streams, and SimulatedEcp5Phy.
"""

from dataclasses import dataclass
from pathlib import Path

from axi_log import AxiLog
from boot_rom import BootRom
from ecp5_phy import SimulatedEcp5Phy
from finisher import Finisher
from host import Host
from litedram import modules
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex_boards.platforms import gsd_orangecrab, lambdaconcept_ecpix5, lattice_versa_ecp5
from migen import ClockDomain, Module
from sim_platform import SimulationPlatform

from litex_weir import add_weir, rocket
from litex_weir.core import hold_dram_in_reset

ROM_BYTES = 0x10000
L2_CACHE_BYTES = 8192
MEMTEST_BYTES = 2 * 1024
ROOM = Path(__file__).parent
RETIREMENT = {"vexriscv": ROOM / "vexriscv_retirement.sv", "rocket": ROOM.parent / "soc" / "retirement.sv"}


@dataclass(frozen=True)
class Board:
    """A board of litex-boards with ECP5DDRPHY: its platform, its DRAM in LiteDRAM's and the DRAM model's table, its
    target's clock in Hz."""

    platform: type
    options: dict
    module: type
    part: str
    clock_hz: float


BOARDS = {
    "ecpix5": Board(
        lambdaconcept_ecpix5.Platform, {"device": "85F"}, modules.MT41K256M16, "MT41K256M16-125", clock_hz=75e6
    ),
    "orangecrab": Board(
        gsd_orangecrab.Platform,
        {"revision": "0.2", "device": "25F"},
        modules.MT41K64M16,
        "MT41K64M16-125",
        clock_hz=48e6,
    ),
    "versa_ecp5": Board(
        lattice_versa_ecp5.Platform, {"device": "LFE5UM5G"}, modules.MT41K64M16, "MT41K64M16-125", clock_hz=75e6
    ),
}


class _ClockAndReset(Module):
    def __init__(self, platform):
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]


class SimulatedBoard(SoCCore):
    """The SoC of a board in simulation.

    Parameters
    ----------
    board : Board
    cpu : str
        `vexriscv` (linux variant) or `rocket` (one hart, linux variant).
    design : WeirDesign or None
        The controller; without one LiteDRAM's takes its place, as the board's target in litex-boards has it.
    """

    def __init__(self, board, cpu, design=None):
        if cpu == "rocket":
            rocket.select(harts=1)
        platform = SimulationPlatform()
        self.submodules.crg = _ClockAndReset(platform)
        SoCCore.__init__(
            self,
            platform,
            clk_freq=int(board.clock_hz),
            bus_data_width=64 if cpu == "rocket" else 32,
            cpu_type=cpu,
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
        platform.add_source(str(RETIREMENT[cpu]))

        pads = board.platform(**board.options, toolchain="trellis").request("ddram")
        module = board.module(board.clock_hz, "1:2")
        self.submodules.ddrphy = phy = SimulatedEcp5Phy(pads, module, board.part, board.clock_hz)
        self.comb += platform.request("violations").eq(phy.violations)
        if design is not None:
            core = add_weir(self, phy, module, design, l2_cache_size=L2_CACHE_BYTES)
            self.submodules += AxiLog(platform, core.ports[0])
        else:
            self.add_sdram("sdram", phy=phy, module=module, l2_cache_size=L2_CACHE_BYTES)
            hold_dram_in_reset(self.sdram.dfii)
        self.add_constant("MEMTEST_DATA_SIZE", MEMTEST_BYTES)
        self.add_constant("MEMTEST_ADDR_SIZE", MEMTEST_BYTES)
