# SPDX-License-Identifier: Apache-2.0
"""Place and route a board's netlist with one seed.

usage: python -m weir_boards.place BOARD FOLDER SEED
Reads FOLDER/soc.json and soc.lpf; writes FOLDER/seedSEED.json, nextpnr's report, and seedSEED.config, from which
ecppack makes the bitstream. Whether timing is met is for the reader of the report to say. The longest paths are mostly
wires: arcs that miss the target are routed again (--tmg-ripup).
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools import NEXTPNR, ToolError, run

from weir_boards import BoardError, board
from weir_boards.generate import TOP
from weir_boards.words import words


def place(name: str, folder: Path, seed: str) -> None:
    """ToolError when nextpnr fails or the disk is full."""
    found = board(name)
    run(
        folder,
        *(NEXTPNR, f"--{found.size}", "--package", found.package, "--speed", found.speed, "--seed", seed),
        *("--json", f"{TOP}.json", "--lpf", f"{TOP}.lpf", "--timing-allow-fail", "--tmg-ripup"),
        *("--textcfg", f"seed{seed}.config", "--report", "new.json"),
        writes=(f"seed{seed}.config", "new.json"),
    )
    (folder / "new.json").replace(folder / f"seed{seed}.json")


if __name__ == "__main__":
    try:
        name, folder, seed = words(__doc__)
        place(name, Path(folder), seed)
    except (BoardError, ToolError, OSError) as error:
        sys.exit(f"weir_boards: {error}")
