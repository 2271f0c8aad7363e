# SPDX-License-Identifier: Apache-2.0
"""write_soc: what is made of a simulated SoC."""

import shutil

import c_library
from litex.soc.integration.builder import Builder


def write_soc(soc, libc, output):
    """Write into the folder `output` (Path), anew, the SoC's gateware/soc.v and gateware/sources.f (for Verilator),
    bios.bin, csr.json and software/include (for firmware). `libc` is the folder of the C library that SoCs share."""
    shutil.rmtree(output, ignore_errors=True)
    builder = Builder(soc, output_dir=str(output), bios_console="lite")
    with c_library.shared(libc, builder.software_dir):
        builder.build()
    shutil.copyfile(builder.get_bios_filename(), output / "bios.bin")
