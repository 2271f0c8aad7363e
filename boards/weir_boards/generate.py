# SPDX-License-Identifier: Apache-2.0
"""Generate the SoC of a board: its Verilog, pin constraints, BIOS, and the script by which Yosys makes a netlist of it.

usage: python -m weir_boards.generate BOARD CPU CONTROLLER DESIGN|- LIBC OUTPUT
  DESIGN  folder of Weir.sv and Weir.json, - for LiteDRAM
  LIBC    folder of the BIOS's C library, which the boards with this CPU share
Writes into OUTPUT/gateware soc.v, soc.lpf, scripts for Yosys (soc.1.ys, and soc.2.ys to be tried when the first fails)
and a copy of every other source, as tools see only what is there.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import c_library
from litex.soc.integration.builder import Builder

from litex_weir import WeirError
from weir_boards import BoardError, board
from weir_boards.soc import BoardSoC
from weir_boards.words import words

TOP = "soc"


@dataclass(frozen=True)
class Mapping:
    """How a SoC is mapped to LUTs.

    Attributes
    ----------
    module : the CPU's top module in Verilog, which is mapped by itself: where a path is not among the deepest of all
        that are mapped at once, ABC saves LUTs and not levels, so that the depth of the CPU's would depend on the rest
    scripts : for ABC, of those that Yosys brings; each is for when the one before ended with a failed assertion
    """

    module: str
    scripts: tuple[str, ...]


# With Yosys' default script VexRiscv's deepest path is of 12 to 16 LUTs, by the order in which cells come; with the
# other one, which maps over and over and keeps the best, of 11, and the whole SoC has 5 % fewer. On some netlists ABC
# ends with a failed assertion in &blut, a step of it: on Rocket's always, after ten minutes.
MAPPINGS = {
    "vexriscv": Mapping("VexRiscv", ("abc9.script.flow", "abc9.script.default")),
    "rocket": Mapping("ExampleRocketSystem", ("abc9.script.default",)),
}

ACROSS_PORTS = ["opt_hier", "opt"] * 2
"""What the CPU is given as a constant, and what of it nobody uses, would cost gates behind its kept ports."""


def generate(name: str, cpu: str, controller: str, design: str, libc: str, output: str) -> None:
    """BoardError or WeirError when there is no such build; nothing is written then. The folder takes its place when
    all is in it."""
    soc = BoardSoC(board(name), cpu, controller, None if design == "-" else design)
    beside = f"{output}.new"
    shutil.rmtree(beside, ignore_errors=True)
    builder = Builder(soc, output_dir=beside, bios_console="lite")
    with c_library.shared(libc, builder.software_dir):
        builder.build(build_name=TOP, run=False)
    gateware = Path(builder.gateware_dir)
    write_scripts(gateware, soc.platform.sources, MAPPINGS[cpu])
    shutil.rmtree(output, ignore_errors=True)
    Path(beside).rename(output)


def write_scripts(gateware: Path, sources, mapping: Mapping) -> None:
    """Copies the sources (path, language, library, ...) into the folder, and writes Yosys' scripts, which read them."""
    reads = []
    for path, language, *_ in sources:
        path = Path(path)
        if path.resolve().parent != gateware.resolve():
            shutil.copy(path, gateware)
        if language in ("verilog", "systemverilog"):
            reads.append(f"read_verilog {'-sv ' if language == 'systemverilog' else ''}-defer {path.name}")
    for number, script in enumerate(mapping.scripts, 1):
        lines = [
            *reads,
            # migen's keep attributes are "true" and "false"
            'attrmap -tocase keep -imap keep="true" keep=1 -imap keep="false" keep=0 -remove keep=0',
            f"hierarchy -top {TOP}",
            f"setattr -mod -set keep_hierarchy 1 {mapping.module}",
            f"synth_ecp5 -top {TOP} -run begin:map_ram",
            *ACROSS_PORTS,
            f"scratchpad -copy {script} abc9.script",
            f"synth_ecp5 -top {TOP} -run map_ram:",
            f"setattr -mod -unset keep_hierarchy {mapping.module}",
            "flatten",
            "opt_clean",
            f"write_json {TOP}.new",
        ]
        (gateware / f"{TOP}.{number}.ys").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    try:
        generate(*words(__doc__))
    except (BoardError, WeirError) as error:
        sys.exit(f"weir_boards: {error}")
