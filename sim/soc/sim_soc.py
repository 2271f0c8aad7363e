# SPDX-License-Identifier: Apache-2.0
"""SimulatedSoC: Rocket harts, Weir (or LiteDRAM's controller), a PHY and DDR3-1600 in simulation."""

from pathlib import Path

from axi_log import AxiLog
from dfi_checker import DfiChecker
from migen import ClockDomainsRenamer
from sim_phy import PHASES, SimulatedPHY
from simulation_soc import SimulationSoC

from litex_weir import rocket
from litex_weir.modules import MT41J128M8JP125

SYS_CLOCK_HZ = 200e6
"""Clock of the harts and the bus, and of the controller as long as MemoryClock does not divide it: a quarter of
DDR3-1600's 800 MHz."""

DATA_BITS = 64
PART = "MT41J128M8JP-125"
REGISTERS_ORIGIN = 0x2000_0000
MEMTEST_BYTES = 1024
LITEDRAM_MAP = "row_rank_bank_column"
"""What LiteDRAM calls ROW_BANK_COL, the rank above the bank."""
OBSERVERS = [Path(__file__).with_name(name) for name in ("retirement.sv", "page_walks.sv")]
OF_WEIR = Path(__file__).with_name("counter_snapshots.sv")
"""Tells the simulator what Weir does."""


class SimulatedSoC(SimulationSoC):
    """The SoC of `make soc`.

    Parameters
    ----------
    harts : int
        Rocket harts: 1, 2 or 4.
    design : WeirDesign or None
        The controller; without one LiteDRAM's controller, crossbar and AXI frontend take its place.
    ranks : int
        Ranks that the 2 GiB are in: 2, or 4, of chips with half of the rows.
    dfi_checker : bool
        Let LiteDRAM's DFITimingsChecker watch the DFI too.
    """

    def __init__(self, harts, design=None, ranks=2, dfi_checker=False):
        rocket.select(harts)
        super().__init__(
            SYS_CLOCK_HZ,
            OBSERVERS + ([OF_WEIR] if design is not None else []),
            divided_memory=design is not None,
            bus_data_width=64,
            cpu_type="rocket",
            cpu_variant="linux",
        )
        rows = {"nrows": MT41J128M8JP125.nrows * 2 // ranks}
        module = type(MT41J128M8JP125.__name__, (MT41J128M8JP125,), rows)(SYS_CLOCK_HZ, f"1:{PHASES}")
        address_map = design.address_map if design else LITEDRAM_MAP
        phy = SimulatedPHY(module, PART, ranks, DATA_BITS, SYS_CLOCK_HZ, address_map)
        if design is None:
            domain = ClockDomainsRenamer("sys")
            self.add_memory(phy, module, None, MEMTEST_BYTES)
            log = AxiLog(self.platform, self.cpu.memory_buses[0])
        else:
            domain = ClockDomainsRenamer(self.memory_clock.domain)
            options = {"registers_origin": REGISTERS_ORIGIN, "clock": self.memory_clock}
            core = self.add_memory(domain(phy), module, design, MEMTEST_BYTES, options)
            log = AxiLog(self.platform, core.ports[0])
        self.submodules += domain(log)
        if dfi_checker:
            self.submodules += domain(DfiChecker(phy.dfi, module, phy.settings, SYS_CLOCK_HZ))
