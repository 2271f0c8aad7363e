# SPDX-License-Identifier: Apache-2.0
"""write_soc: what is made of a simulated SoC."""

import re
import shutil
from pathlib import Path

import c_library
from litex.soc.integration.builder import Builder

LONGEST_DELAY = 1000
"""Rounds of the loop with which the BIOS waits between two steps of the memory's start, at most. LiteDRAM has 50 000
and 10 000 after the reset and after CKE, for the 500 us of JESD79-3F, 3.3.1, which simulated chips do not need; tXPR,
tDLLK and tZQinit are shorter than 1000 rounds, and the DRAM model's checker knows them."""


class _SimulationBuilder(Builder):
    """LiteX's, with no longer delays than LONGEST_DELAY."""

    def _generate_includes(self, with_bios=True):
        super()._generate_includes(with_bios)
        header = Path(self.generated_dir) / "sdram_phy.h"
        delays = re.compile(r"(?<=\bcdelay\()\d+(?=\);)")
        header.write_text(delays.sub(lambda rounds: str(min(int(rounds[0]), LONGEST_DELAY)), header.read_text()))


def write_soc(soc, libc, output):
    """Write into the folder `output` (Path), anew, the SoC's gateware/soc.v and gateware/sources.f (for Verilator),
    bios.bin, csr.json and software/include (for firmware). `libc` is the folder of the C library that SoCs share."""
    shutil.rmtree(output, ignore_errors=True)
    builder = _SimulationBuilder(soc, output_dir=str(output), bios_console="lite")
    with c_library.shared(libc, builder.software_dir):
        builder.build()
    shutil.copyfile(builder.get_bios_filename(), output / "bios.bin")
