# SPDX-License-Identifier: Apache-2.0
"""SimulatedPHY: a LiteDRAM PHY and the DRAM behind it, which is the C++ DRAM model with its protocol checker."""

from litedram.common import PhySettings, get_default_cl_cwl, get_sys_latency, get_sys_phase
from litedram.phy import dfi
from migen import Cat, ClockSignal, Instance, Module, ResetSignal, Signal

from litex_weir.errors import WeirError

_TO_DRAM = (
    "address",
    "bank",
    "ras_n",
    "cas_n",
    "we_n",
    "act_n",
    "reset_n",
    "cs_n",
    "cke",
    "odt",
    "wrdata",
    "wrdata_mask",
    "wrdata_en",
    "rddata_en",
)
_FROM_DRAM = ("rddata", "rddata_valid")

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

    Attributes
    ----------
    dfi, settings : as of every LiteDRAM PHY
    violations : Signal(32), rules the checker has seen broken so far
    """

    def __init__(self, module, part, ranks, databits, sys_clk_freq):
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
        self.violations = Signal(32)

        ports = {f"i_dfi_{name}": self._all_phases(name) for name in _TO_DRAM}
        for name in _FROM_DRAM:
            phases = self._all_phases(name)
            ports[f"o_dfi_{name}"] = whole = Signal(len(phases), name=f"dram_dfi_{name}")
            self.comb += phases.eq(whole)
        self.specials += Instance(
            "dfi_dram",
            name="dram",
            p_PART=part,
            p_TCK_PS=round(tck * 1e12),
            p_RANKS=ranks,
            p_BANK_BITS=geometry.bankbits,
            p_ADDRESS_PINS=geometry.addressbits,
            p_ROW_BITS=geometry.rowbits,
            p_COLUMN_BITS=geometry.colbits,
            p_DQ=databits,
            p_PHASES=PHASES,
            p_READ_PHASE=self.settings.rdphase,
            p_WRITE_PHASE=self.settings.wrphase,
            p_READ_LATENCY=self.settings.read_latency,
            p_WRITE_LATENCY=self.settings.write_latency,
            p_CL=cl,
            p_CWL=cwl,
            p_INITIALISED=0,  # the BIOS initialises the DRAM
            p_FATAL=0,  # the simulator decides what a broken rule means
            i_clock=ClockSignal("sys"),
            i_reset=ResetSignal("sys"),
            o_violations=self.violations,
            **ports,
        )

    def _all_phases(self, name):
        return Cat(*[getattr(phase, name) for phase in self.dfi.phases])
