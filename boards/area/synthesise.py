# SPDX-License-Identifier: Apache-2.0
"""Synthesise a core for ECP5: alone, for its area and for simulation of its netlist, or wrapped, for place and route.

usage: synthesise.py alone FOLDER TOP            writes FOLDER/stat.json (Yosys' statistics), core.json and netlist.v
                                                 (the netlist of ECP5 cells, for a simulator)
       synthesise.py wrapped FOLDER TOP CLOCK    reads core.json; writes wrapper.v and wrapped.json (the netlist that
                                                 nextpnr takes)
Both read FOLDER/core.v.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cells
import wrapper
from tools import YOSYS, ToolError, finish, read, run


def alone(folder: Path, top: str) -> None:
    """ToolError when Yosys fails or its result is not what it must be; there is no stat.json then."""
    run(
        folder,
        *(YOSYS, "-q", "-p"),
        f"read_verilog -sv core.v; synth_ecp5 -noiopad -top {top}; tee -q -o stat.new stat -json; "
        "write_json core.new; write_verilog -noattr netlist.new",
    )
    cells.area(read(folder / "stat.new"))
    finish(folder / "core.new", folder / "core.json", "\n}")
    finish(folder / "netlist.new", folder / "netlist.v", "endmodule")
    finish(folder / "stat.new", folder / "stat.json", "}")


def wrapped(folder: Path, top: str, clock: str) -> None:
    """ToolError when Yosys fails, or when core.json has no such core."""
    inputs, outputs = wrapper.ports(read(folder / "core.json"), top, clock)
    (folder / "wrapper.v").write_text(wrapper.wrapper(top, clock, inputs, outputs))
    run(
        folder,
        *(YOSYS, "-q", "-p"),
        f"read_verilog -sv core.v wrapper.v; synth_ecp5 -top {wrapper.NAME} -json wrapped.new",
    )
    finish(folder / "wrapped.new", folder / "wrapped.json", "\n}")


if __name__ == "__main__":
    try:
        {"alone": alone, "wrapped": wrapped}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
    except ToolError as error:
        sys.exit(f"synthesise.py: {error}")
