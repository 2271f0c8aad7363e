# SPDX-License-Identifier: Apache-2.0
"""Collect area and Fmax of the cores into one file: an object with `device`, `seeds` and `area`, a row for each core.

usage: collect.py OUTPUT.json (RUNS NAME=FOLDER...)...
RUNS are those by which each of the cores that follow was placed, as one word: 'speed6-seed1 speed6-seed2'; NAME is what
the rows call a core.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from dataclasses import asdict
from pathlib import Path

from cells import area
from place import fmax
from tools import ToolError, read


def by_speed(runs: str) -> dict[int, list[int]]:
    """The seeds of each speed grade, of runs by their names. ToolError for another name."""
    found: dict[int, list[int]] = {}
    for run in runs.split():
        match = re.fullmatch(r"speed(\d)-seed(\d+)", run)
        if match is None:
            raise ToolError(f"'{run}' is not speedN-seedN")
        found.setdefault(int(match[1]), []).append(int(match[2]))
    return found


def row(core: str, folder: Path, runs: dict[int, list[int]]) -> dict:
    """One row: area without the wrapper; Fmax in MHz for each speed grade: median, least and most of the seeds."""
    found = {"core": core, **asdict(area(read(folder / "stat.json")))}
    for speed, seeds in runs.items():
        reached = [fmax(read(folder / f"speed{speed}-seed{seed}.json")) for seed in seeds]
        for kind, value in (("", statistics.median(reached)), ("least_", min(reached)), ("most_", max(reached))):
            found[f"fmax_speed{speed}_{kind}mhz"] = round(value, 2)
    return found


def collected(words: list[str]) -> dict:
    """The whole file, of RUNS and the cores NAME=FOLDER that these are of, time after time."""
    found = {"device": "ECP5-85F, CABGA554", "seeds": set(), "area": []}
    runs: dict[int, list[int]] = {}
    for word in words:
        core, is_core, folder = word.partition("=")
        if is_core:
            if any(core == other["core"] for other in found["area"]):
                raise ToolError(f"core '{core}' is there twice")
            found["area"].append(row(core, Path(folder), runs))
        else:
            runs = by_speed(word)
            found["seeds"].update(seed for seeds in runs.values() for seed in seeds)
    return {**found, "seeds": sorted(found["seeds"])}


def main() -> None:
    Path(sys.argv[1]).write_text(json.dumps(collected(sys.argv[2:]), indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"collect.py: {error}")
