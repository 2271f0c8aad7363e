# SPDX-License-Identifier: Apache-2.0
"""InjectedOdt: the ODT pins while software drives the DFI."""

from functools import reduce
from operator import or_

from migen import If, Module, Replicate, Signal

ODT_HOLD = 6
"""DRAM clocks from a write on in which its ODT stays high: ODTH8 (JESD79-3F table 24, JESD79-4B table 73)."""


class InjectedOdt(Module):
    """ODT of a PHY behind a DFI injector: the controller's, and while software has the DFI, high for the writes that it
    injects, on all ranks, as these take them all.

    LiteDRAM's BIOS sets the ODT bit of the injector's control CSR for good, so that with RTT_NOM on the DRAM would
    terminate the reads of the training, and be initialised with ODT high (JESD79-3F 3.3.1, 5.2.3). Here the bit allows
    ODT. While a PHY levels writes (its CSR `wlevel_en`), ODT is high, as JESD79-3F 4.8 wants it.

    Parameters
    ----------
    dfii : HandoverInjector
    phy : the PHY; its `dfi`'s odt is driven from here
    """

    def __init__(self, dfii, phy):
        phases = dfii.master.phases
        n = len(phases)
        # oldest first: clock k of the list is k - past clocks from phase 0 of this cycle
        past = -(-(ODT_HOLD - 1) // n) * n
        writes = [phase.wrdata_en for phase in phases]
        before = [Signal(name=f"write_{past - k}_clocks_ago") for k in range(past)]
        clocks = before + writes
        self.sync += [earlier.eq(clocks[k + n]) for k, earlier in enumerate(before)]

        allowed, levels = dfii._control.fields.odt, getattr(phy, "_wlevel_en", None)
        for number, (phase, pins) in enumerate(zip(phases, phy.dfi.phases, strict=True)):
            held = reduce(or_, clocks[past + number - ODT_HOLD + 1 : past + number + 1])
            if levels is not None:
                held = held | levels.storage
            self.comb += If(dfii.software_drives, pins.odt.eq(Replicate(allowed & held, len(pins.odt)))).Else(
                pins.odt.eq(phase.odt)
            )
