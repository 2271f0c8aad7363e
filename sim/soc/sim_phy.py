# SPDX-License-Identifier: Apache-2.0
"""SimulatedPHY: a LiteDRAM PHY and the DRAM behind it, which is the C++ DRAM model with its protocol checker."""

from dfi_dram import DfiDram, all_phases
from litedram.common import PhySettings, get_default_cl_cwl, get_sys_latency, get_sys_phase
from litedram.phy import dfi
from migen import Module

from litex_weir.errors import WeirError

PHASES = 4


class SimulatedPHY(Module):
    """A DDR3 PHY of four phases with the latencies of LiteDRAM's 7-series PHYs, without training.

    Parameters
    ----------
    module : litedram.modules.SDRAMModule
        One chip of the DIMM. Its timings are not passed on: the DRAM model has its own table, found by `part`.
    part : str
        The chip's name in the DRAM model's part table.
    ranks, databits : int
        Ranks of the DIMM and width of its data bus in bits.
    sys_clk_freq : float
        Controller clock in Hz; the DRAM clock is four times as fast.
    address_map : str
        The controller's after reset, in whose order what is loaded into the DRAM model lies there.

    Attributes
    ----------
    dfi, settings : as of every LiteDRAM PHY
    violations : Signal(32), rules the checker has seen broken so far
    """

    def __init__(self, module, part, ranks, databits, sys_clk_freq, address_map):
        if module.memtype != "DDR3":
            raise WeirError(f"SimulatedPHY: memory type '{module.memtype}': only DDR3 is supported")
        tck = 1 / (PHASES * sys_clk_freq)
        cl, cwl = get_default_cl_cwl(module.memtype, tck)
        cl_cycles, cwl_cycles = get_sys_latency(PHASES, cl), get_sys_latency(PHASES, cwl)
        self.settings = PhySettings(
            phytype="SimulatedPHY",
            memtype=module.memtype,
            databits=databits,
            dfi_databits=2 * databits,
            nranks=ranks,
            nphases=PHASES,
            rdphase=get_sys_phase(PHASES, cl_cycles, cl),
            wrphase=get_sys_phase(PHASES, cwl_cycles, cwl),
            cl=cl,
            cwl=cwl,
            read_latency=cl_cycles + 6,
            write_latency=cwl_cycles - 1,
        )
        geometry = module.geom_settings
        self.dfi = dfi.Interface(geometry.addressbits, geometry.bankbits, ranks, 2 * databits, PHASES)
        dram = DfiDram(self.dfi, self.settings, module, part, sys_clk_freq, address_map)
        self.specials += dram.instance
        self.violations = dram.violations
        self.comb += [
            all_phases(self.dfi, "rddata").eq(dram.rddata),
            all_phases(self.dfi, "rddata_valid").eq(dram.rddata_valid),
        ]
