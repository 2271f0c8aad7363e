#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate the SoC that is simulated: its Verilog, its BIOS and the C headers that describe it to firmware.

Writes into the output folder: gateware/soc.v and gateware/sources.f (for Verilator), bios.bin, csr.json and
software/include (for firmware).
"""

import argparse
import sys
from pathlib import Path

from sim_soc import SimulatedSoC
from write_soc import write_soc

from litex_weir import WeirDesign, WeirError


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--harts", type=int, default=4, choices=(1, 2, 4), help="Rocket harts (default %(default)s)")
    parser.add_argument(
        "--controller", choices=("weir", "litedram"), default="weir", help="memory controller (default %(default)s)"
    )
    parser.add_argument("--design", type=Path, help="folder with Weir.sv and Weir.json (needed for weir)")
    parser.add_argument("--ranks", type=int, default=2, choices=(2, 4), help="of the memory (default %(default)s)")
    parser.add_argument("--dfi-checker", action="store_true", help="let LiteDRAM's DFITimingsChecker watch the DFI")
    parser.add_argument("--libc", type=Path, required=True, help="folder of the C library that all SoCs share")
    parser.add_argument("--output", type=Path, required=True, help="folder to write into, anew")
    options = parser.parse_args(arguments)
    if (options.controller == "weir") != (options.design is not None):
        parser.error("--design is needed with --controller weir and refused with litedram")
    return options


def main(arguments=None):
    options = parse(arguments)
    try:
        design = WeirDesign.load(options.design) if options.design else None
        soc = SimulatedSoC(options.harts, design, options.ranks, options.dfi_checker)
    except WeirError as error:
        sys.exit(f"generate.py: {error}")
    write_soc(soc, options.libc, options.output)


if __name__ == "__main__":
    main()
