# SPDX-License-Identifier: Apache-2.0
"""Collect area and Fmax of the cores into one file: an object with `device`, `seeds` and `area`, a row for each core.

usage: collect.py OUTPUT.json NAME=FOLDER...     NAME: what the rows call the core
"""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import asdict
from pathlib import Path

from cells import area
from place import fmax
from tools import ToolError, read

SPEEDS, SEEDS = (6, 8), (1, 2, 3, 4, 5)


def row(core: str, folder: Path) -> dict:
    """One row: area without the wrapper; Fmax in MHz for each speed grade: median, least and most of the seeds."""
    found = {"core": core, **asdict(area(read(folder / "stat.json")))}
    for speed in SPEEDS:
        seeds = [fmax(read(folder / f"speed{speed}-seed{seed}.json")) for seed in SEEDS]
        for kind, value in (("", statistics.median(seeds)), ("least_", min(seeds)), ("most_", max(seeds))):
            found[f"fmax_speed{speed}_{kind}mhz"] = round(value, 2)
    return found


def main() -> None:
    output, cores = Path(sys.argv[1]), [word.split("=", 1) for word in sys.argv[2:]]
    found = {
        "device": "ECP5-85F, CABGA554",
        "seeds": list(SEEDS),
        "area": [row(core, Path(folder)) for core, folder in cores],
    }
    output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"collect.py: {error}")
