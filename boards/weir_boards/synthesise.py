# SPDX-License-Identifier: Apache-2.0
"""Synthesise a board's SoC.

usage: python -m weir_boards.synthesise FOLDER
Reads FOLDER/soc.ys and what it names; writes FOLDER/soc.json, the netlist, and soc.rpt, Yosys' log.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools import YOSYS, ToolError, run

from weir_boards.generate import TOP


def synthesise(folder: Path) -> None:
    """ToolError when Yosys fails; there is no netlist then."""
    (folder / f"{TOP}.json").unlink(missing_ok=True)
    run(folder, YOSYS, "-q", "-l", f"{TOP}.rpt", f"{TOP}.ys")


if __name__ == "__main__":
    try:
        synthesise(Path(sys.argv[1]))
    except ToolError as error:
        sys.exit(f"weir_boards: {error}")
