# SPDX-License-Identifier: Apache-2.0
"""HandoverInjector: LiteDRAM's DFI injector, which takes the DFI from Weir only when Weir has let go of it."""

from litedram.dfii import DFIInjector
from litex.soc.interconnect.csr import CSRField, CSRStatus
from migen import ClockDomainsRenamer, Constant, If, Module, Signal
from migen.genlib.cdc import MultiReg


class _Owner(Module):
    """Whether software has the DFI: from Weir's `ack` on until software wants it no longer. Out of reset it has."""

    def __init__(self, wants):
        self.ack = Signal()
        self.software = Signal(reset=1)
        self.sync += If(~wants, self.software.eq(0)).Elif(self.ack, self.software.eq(1))


class HandoverInjector(DFIInjector):
    """DFIInjector with the same CSRs, for a controller that must end what is under way before software has the DFI.

    When software clears `sel` of the CSR `control`, the controller keeps the DFI until it answers `req` with `ack`; the
    CSR `owner` tells software when. When `sel` is set the controller has it at once. Out of reset software has the
    DFI, with RESET# and CKE low, as JESD79-3F 3.3.1 asks for at power-up; LiteDRAM's own default hands it to the
    controller, which would refresh a DRAM that is not yet initialised.

    Parameters: `domain` is the clock domain of the controller and of `req` and `ack`, the CSRs are in `sys`; the
    others are those of DFIInjector.

    Attributes
    ----------
    req : software wants the DFI
    ack : the controller has let go of it, as long as `req` is high
    software_drives : software drives the DFI in this cycle, in `domain`
    """

    def __init__(self, *arguments, domain="sys", **keywords):
        DFIInjector.__init__(self, *arguments, **keywords)
        hold_dram_in_reset(self)
        self._owner = CSRStatus(
            fields=[
                CSRField(
                    "software",
                    size=1,
                    description="1: software has the DFI; 0: the controller, also while it ends what is under way.",
                )
            ],
            name="owner",
        )
        sel = self._control.fields.sel
        self.req = Signal()
        wants, owns = ~sel, self._owner.fields.software
        owner = ClockDomainsRenamer(domain)(_Owner(self.req))
        self.submodules += owner
        self.ack = owner.ack
        if domain == "sys":
            self.comb += [self.req.eq(wants), owns.eq(owner.software)]
        else:
            self.specials += MultiReg(wants, self.req, domain, reset=1), MultiReg(owner.software, owns, reset=1)
        self.software_drives = Signal()
        self.comb += self.software_drives.eq(wants & owner.software)
        # after DFIInjector's own statements, over which this one prevails
        self.comb += If(~self.software_drives, self.slave.connect(self.master))


def hold_dram_in_reset(dfii):
    """Let the DFI injector `dfii` come out of reset in software control with RESET# and CKE low."""
    dfii._control.storage.reset = Constant(0, len(dfii._control.storage))
