# SPDX-License-Identifier: Apache-2.0
"""Generate the SoC of a board: its Verilog, pin constraints, BIOS, and the script by which Yosys makes a netlist of it.

usage: python -m weir_boards.generate BOARD CPU CONTROLLER DESIGN|- LIBC OUTPUT
  DESIGN  folder of Weir.sv and Weir.json, - for LiteDRAM
  LIBC    folder of the BIOS's C library, which the boards with this CPU share
Writes into OUTPUT/gateware soc.v, soc.lpf, soc.ys and a copy of every other source, as tools see only what is there.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import c_library
from litex.soc.integration.builder import Builder

from litex_weir import WeirError
from weir_boards import BoardError, board
from weir_boards.soc import BoardSoC

TOP = "soc"
CPU_MODULES = {"vexriscv": "VexRiscv", "rocket": "ExampleRocketSystem"}
"""Each CPU's top module in Verilog. It is mapped to LUTs by itself: where a path is not among the deepest of all that
are mapped at once, ABC saves LUTs and not levels, so that the depth of the CPU's paths would depend on the rest."""

ACROSS_PORTS = ["opt_hier", "opt"] * 2
"""What the CPU is given as a constant, and what of it nobody uses, would cost gates behind its kept ports. After Yosys'
coarse synthesis: before it the very same passes made VexRiscv's deepest path one of 15 LUTs, where it is 12 so."""


def generate(name: str, cpu: str, controller: str, design: str, libc: str, output: str) -> None:
    """BoardError or WeirError when there is no such build; nothing is written then."""
    soc = BoardSoC(board(name), cpu, controller, None if design == "-" else design)
    shutil.rmtree(output, ignore_errors=True)
    builder = Builder(soc, output_dir=output, bios_console="lite")
    with c_library.shared(libc, builder.software_dir):
        builder.build(build_name=TOP, run=False)
    gateware = Path(builder.gateware_dir)
    (gateware / f"{TOP}.ys").write_text(yosys_script(gateware, soc.platform.sources, CPU_MODULES[cpu]))


def yosys_script(gateware: Path, sources, cpu_module: str) -> str:
    """Copies the sources (path, language, library, ...) into the folder and returns the script that reads them."""
    reads = []
    for path, language, *_ in sources:
        path = Path(path)
        if path.resolve().parent != gateware.resolve():
            shutil.copy(path, gateware)
        if language in ("verilog", "systemverilog"):
            reads.append(f"read_verilog {'-sv ' if language == 'systemverilog' else ''}-defer {path.name}")
    return "\n".join(
        [
            *reads,
            # migen's keep attributes are "true" and "false"
            'attrmap -tocase keep -imap keep="true" keep=1 -imap keep="false" keep=0 -remove keep=0',
            f"hierarchy -top {TOP}",
            f"setattr -mod -set keep_hierarchy 1 {cpu_module}",
            f"synth_ecp5 -top {TOP} -run begin:map_ram",
            *ACROSS_PORTS,
            f"synth_ecp5 -top {TOP} -run map_ram:",
            f"setattr -mod -unset keep_hierarchy {cpu_module}",
            "flatten",
            "opt_clean",
            f"write_json {TOP}.json",
            "",
        ]
    )


if __name__ == "__main__":
    try:
        generate(*sys.argv[1:])
    except (BoardError, WeirError) as error:
        sys.exit(f"weir_boards: {error}")
