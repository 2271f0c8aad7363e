# SPDX-License-Identifier: Apache-2.0
"""Finisher: the guest writes its exit code here and the simulation ends."""

from litex.soc.interconnect.csr import AutoCSR, CSRStorage
from migen import Module


class Finisher(Module, AutoCSR):
    """CSR `exit_code`, 32 bits: a write ends the simulation, whose exit code is the low eight bits."""

    def __init__(self, pads):
        self.exit_code = CSRStorage(32, description="Writing here ends the simulation with this exit code.")
        self.comb += [pads.valid.eq(self.exit_code.re), pads.code.eq(self.exit_code.storage)]
