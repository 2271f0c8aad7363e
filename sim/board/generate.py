#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generate the SoC of a board for simulation: its Verilog, its BIOS and the C headers that describe it to firmware.

Writes into the output folder: gateware/soc.v and gateware/sources.f (for Verilator), bios.bin, csr.json and
software/include (for firmware).
"""

import argparse
import sys
from pathlib import Path

from board_soc import SimulatedBoard
from write_soc import write_soc

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
    write_soc(soc, options.libc, options.output)


if __name__ == "__main__":
    main()
