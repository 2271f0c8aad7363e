# SPDX-License-Identifier: Apache-2.0
"""Place and route a wrapped core on an ECP5-85F, once, with one seed, at one speed grade.

usage: place.py FOLDER SPEED SEED
Reads FOLDER/wrapped.json; writes FOLDER/speedSPEED-seedSEED.json, nextpnr's report.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from tools import NEXTPNR, ToolError, read, run

# The clock that nextpnr is told to work for; 125 gives the same placements.
TARGET_MHZ = 100


def fmax(report: dict) -> float:
    """MHz that the one clock of the design reaches. ToolError when there is no such clock."""
    clocks = report.get("fmax")
    if not isinstance(clocks, dict) or len(clocks) != 1:
        raise ToolError("nextpnr's report has not one clock: " + ", ".join(clocks or ["none"]))
    (clock,) = clocks.values()
    achieved = clock.get("achieved") if isinstance(clock, dict) else None
    if not isinstance(achieved, int | float) or not 0 < achieved < math.inf:
        raise ToolError(f"nextpnr's report has no Fmax of its clock: {clock}")
    return float(achieved)


def place(folder: Path, speed: str, seed: str) -> None:
    """ToolError when nextpnr fails or reports no Fmax."""
    new, report = (folder / f"speed{speed}-seed{seed}.{ending}" for ending in ("new", "json"))
    run(
        folder,
        *(NEXTPNR, "--85k", "--package", "CABGA554", "--speed", speed, "--seed", seed),
        *("--json", "wrapped.json", "--lpf-allow-unconstrained", "--freq", str(TARGET_MHZ), "--timing-allow-fail"),
        *("--report", new.name),
    )
    fmax(read(new))
    new.replace(report)


if __name__ == "__main__":
    try:
        place(Path(sys.argv[1]), *sys.argv[2:])
    except ToolError as error:
        sys.exit(f"place.py: {error}")
