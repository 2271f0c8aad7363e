#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate the SoC of a board for simulation: its Verilog, its BIOS and the C headers that describe it to firmware.

Writes into the output folder: gateware/soc.v and gateware/sources.f (for Verilator), bios.bin, csr.json and
software/include (for firmware).
"""

import argparse
import shutil
import sys
from pathlib import Path

import c_library
from board_soc import SimulatedBoard
from litex.soc.integration.builder import Builder

from litex_weir import WeirDesign, WeirError
from weir_boards import BOARDS, BoardError
from weir_boards.board import CONTROLLERS


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", choices=BOARDS, required=True)
    parser.add_argument("--controller", choices=CONTROLLERS, required=True)
    parser.add_argument("--design", type=Path, help="folder with Weir.sv and Weir.json; none for LiteDRAM")
    parser.add_argument("--libc", type=Path, required=True, help="folder of the C library that all SoCs share")
    parser.add_argument("--output", type=Path, required=True, help="folder to write into, anew")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    try:
        design = WeirDesign.load(options.design) if options.design else None
        soc = SimulatedBoard(BOARDS[options.board], options.controller, design)
    except (BoardError, WeirError) as error:
        sys.exit(f"generate.py: {error}")
    shutil.rmtree(options.output, ignore_errors=True)
    builder = Builder(soc, output_dir=str(options.output), bios_console="lite")
    with c_library.shared(options.libc, builder.software_dir):
        builder.build()
    shutil.copyfile(builder.get_bios_filename(), options.output / "bios.bin")


if __name__ == "__main__":
    main()
