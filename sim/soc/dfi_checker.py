# SPDX-License-Identifier: Apache-2.0
"""DfiChecker: LiteDRAM's DFITimingsChecker as a second opinion beside the DRAM model's own checker."""

from litedram.modules import _speedgrade_timings, _technology_timings
from litedram.phy import dfi
from litedram.phy.model import DFITimingsChecker
from migen import Module


class DfiChecker(Module):
    """One DFITimingsChecker for each rank of `bus`; it prints what it objects to on the console.

    LiteDRAM's checker knows one rank, so each gets the commands that its own chip select takes.
    """

    def __init__(self, bus, module, settings, sys_clk_freq):
        timings = {"tCK": 1e9 / sys_clk_freq / settings.nphases}
        timings.update({name: module.get(name) for name in _speedgrade_timings + _technology_timings})
        for rank in range(settings.nranks):
            view = dfi.Interface(len(bus.p0.address), len(bus.p0.bank), 1, len(bus.p0.wrdata), settings.nphases)
            for phase, source in zip(view.phases, bus.phases, strict=True):
                self.comb += phase.cs_n.eq(source.cs_n[rank])
                for name in ("address", "bank", "ras_n", "cas_n", "we_n"):
                    self.comb += getattr(phase, name).eq(getattr(source, name))
            self.submodules += DFITimingsChecker(
                dfi=view,
                nbanks=module.nbanks,
                nphases=settings.nphases,
                timings=timings,
                refresh_mode=None,
                memtype=module.memtype,
            )
