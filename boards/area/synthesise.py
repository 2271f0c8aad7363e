# SPDX-License-Identifier: Apache-2.0
"""Synthesise a core for ECP5, twice: alone, for its area, and wrapped, for place and route.

usage: synthesise.py FOLDER TOP CLOCK
Reads FOLDER/core.v; writes FOLDER/stat.json (Yosys' statistics of the core alone), wrapper.v and wrapped.json (the
netlist that nextpnr takes).
"""

from __future__ import annotations

import sys
from pathlib import Path

import cells
import wrapper
from tools import YOSYS, ToolError, read, run


def synthesise(folder: Path, top: str, clock: str) -> None:
    """ToolError when Yosys fails or its result is not what it must be."""
    run(
        folder,
        *(YOSYS, "-q", "-p"),
        f"read_verilog -sv core.v; synth_ecp5 -noiopad -top {top}; tee -q -o stat.new stat -json; write_json core.json",
    )
    cells.area(read(folder / "stat.new"))
    inputs, outputs = wrapper.ports(read(folder / "core.json"), top, clock)
    (folder / "wrapper.v").write_text(wrapper.wrapper(top, clock, inputs, outputs))
    run(
        folder,
        *(YOSYS, "-q", "-p"),
        f"read_verilog -sv core.v wrapper.v; synth_ecp5 -top {wrapper.NAME} -json wrapped.json",
    )
    (folder / "stat.new").replace(folder / "stat.json")


if __name__ == "__main__":
    try:
        synthesise(Path(sys.argv[1]), *sys.argv[2:])
    except ToolError as error:
        sys.exit(f"synthesise.py: {error}")
