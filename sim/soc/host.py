# SPDX-License-Identifier: Apache-2.0
"""Host: what the guest asks of the simulator beyond its console: to freeze the machine, and for a script to run."""

from litex.soc.interconnect.csr import AutoCSR, CSRStatus, CSRStorage
from migen import Module


class Host(Module, AutoCSR):
    """CSR `freeze`: a write asks the simulator for a snapshot (no effect without `--save`). CSR `script`: each read
    takes the next byte of the script that the simulator hands over, in bits 7:0 with bit 8 set; 0 when there are no
    more.

    Both lie in one word of the 64-bit bus, whose reads are of whole words: reading `freeze` takes a byte too.
    """

    def __init__(self, pads):
        self.freeze = CSRStorage(32, description="Writing here asks the simulator to freeze the machine.")
        self.script = CSRStatus(32, description="Next byte of the script, valid with bit 8; taken by reading it.")
        self.comb += [pads.freeze.eq(self.freeze.re), self.script.status.eq(pads.script_next)]
        # a cycle later, when the read has what stood there
        self.sync += pads.script_taken.eq(self.script.we)
