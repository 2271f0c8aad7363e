# SPDX-License-Identifier: Apache-2.0
"""dfi_dram: the C++ DRAM model with its protocol checker, on the DFI of a simulated PHY."""

from migen import Cat, ClockSignal, Instance, ResetSignal, Signal

from litex_weir.core import DFI_SIGNALS

_TO_DRAM = [name for name, direction in DFI_SIGNALS if direction == "o"]


def all_phases(dfi, name):
    """The signals `name` of all phases of a DFI side by side, phase 0 lowest."""
    return Cat(*[getattr(phase, name) for phase in dfi.phases])


class DfiDram:
    """The instance of the DRAM model, clocked by `sys`.

    Parameters
    ----------
    dfi, settings : of the PHY; commands and writes are taken from the DFI, reads are left to the PHY
    module : litedram.modules.SDRAMModule
        Geometry of a chip. Its timings are not passed on: the model has its own table, found by `part`.
    part : str
        The chip's name in the model's part table.
    sys_clk_freq : float
        Controller clock in Hz; the DRAM clock is `settings.nphases` times as fast.
    address_map : str
        In which order the model has the bytes that are loaded into it: row_rank_bank_column or rank_row_bank_column.

    Attributes
    ----------
    rddata, rddata_valid : Signal, what the DRAM answers, the phases side by side
    violations : Signal(32), rules the checker has seen broken so far
    instance : Instance, one of the PHY's specials
    """

    def __init__(self, dfi, settings, module, part, sys_clk_freq, address_map="row_rank_bank_column"):
        geometry = module.geom_settings
        self.rddata = Signal(len(all_phases(dfi, "rddata")), name="dram_dfi_rddata")
        self.rddata_valid = Signal(len(all_phases(dfi, "rddata_valid")), name="dram_dfi_rddata_valid")
        self.violations = Signal(32)
        self.instance = Instance(
            "dfi_dram",
            name="dram",
            p_PART=part,
            p_TCK_PS=int(1e12 / (settings.nphases * sys_clk_freq)),
            p_RANKS=settings.nranks,
            p_BANK_BITS=len(dfi.phases[0].bank),
            p_ADDRESS_PINS=len(dfi.phases[0].address),
            p_ROW_BITS=geometry.rowbits,
            p_COLUMN_BITS=geometry.colbits,
            p_DQ=settings.databits,
            p_PHASES=settings.nphases,
            p_READ_PHASE=settings.rdphase,
            p_WRITE_PHASE=settings.wrphase,
            p_READ_LATENCY=settings.read_latency,
            p_WRITE_LATENCY=settings.write_latency,
            p_CL=settings.cl,
            p_CWL=settings.cwl,
            p_ADDRESS_MAP=address_map,
            p_INITIALISED=0,  # the BIOS initialises the DRAM
            p_FATAL=0,  # the simulator decides what a broken rule means
            i_clock=ClockSignal("sys"),
            i_reset=ResetSignal("sys"),
            **{f"i_dfi_{name}": all_phases(dfi, name) for name in _TO_DRAM},
            o_dfi_rddata=self.rddata,
            o_dfi_rddata_valid=self.rddata_valid,
            o_violations=self.violations,
        )
