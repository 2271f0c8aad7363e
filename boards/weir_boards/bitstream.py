# SPDX-License-Identifier: Apache-2.0
"""Make a board's bitstream of its netlist: try seeds, pack the best, report.

usage: python -m weir_boards.bitstream BOARD CPU CONTROLLER SEEDS FOLDER ROWS.json
  SEEDS   N: seeds from 1 to N until one meets timing; A-B: all from A to B, for figures to compare
  FOLDER  build/boards/NAME, with the SoC in gateware/; NAME.bit, NAME.svf and NAME.txt are written into it
Exits with 1 when no seed meets timing: there is no bitstream then, but the report and the row of the best seed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools import ECPPACK, ToolError, read, run

from litex_weir import whole_files
from weir_boards import BoardError, board, report, rows
from weir_boards.generate import TOP
from weir_boards.words import words

LAST_SEED = 100


@dataclass(frozen=True)
class Seeds:
    """Which seeds are tried: from `first` to `last`, until one meets timing or `all` of them."""

    first: int
    last: int
    all: bool

    @staticmethod
    def parse(text: str) -> Seeds:
        """Of SEEDS. BoardError unless it names seeds that can be tried."""
        found = re.fullmatch(r"(?:(\d{1,3})-)?(\d{1,3})", text)
        seeds = Seeds(int(found[1] or 1), int(found[2]), found[1] is not None) if found else None
        if not seeds or not 1 <= seeds.first <= seeds.last <= LAST_SEED:
            raise BoardError(f"SEEDS={text}: must be a number from 1 to {LAST_SEED}, or two with a - between")
        return seeds


def search(seeds: Seeds, place: Callable[[int], report.Report]) -> dict[int, report.Report]:
    """Reports of the seeds that were tried."""
    found = {}
    for seed in range(seeds.first, seeds.last + 1):
        found[seed] = place(seed)
        if found[seed].met and not seeds.all:
            break
    return found


def best(found: dict[int, report.Report]) -> int:
    """The seed that meets timing, or comes nearest to it."""
    return max(found, key=lambda seed: (found[seed].met, found[seed].system.fmax_mhz))


def row(name: str, cpu: str, controller: str, config: str | None, found: dict[int, report.Report]) -> dict:
    """Of ROWS.json."""
    chosen = found[best(found)]
    return {
        "board": name,
        "cpu": cpu,
        "controller": controller,
        "config": config,
        **{cells: used for cells, (used, _) in chosen.cells.items()},
        "clock_target_mhz": round(chosen.system.target_mhz, 2),
        "clock_fmax_mhz": round(chosen.system.fmax_mhz, 2),
        "met": chosen.met,
        "seed": best(found),
        "seeds": {str(seed): round(each.system.fmax_mhz, 2) for seed, each in found.items()},
    }


def bitstream(name: str, cpu: str, controller: str, seeds: str, folder: Path, results: Path) -> bool:
    """Whether timing is met. ToolError when a tool fails."""
    made, tried = board(name), Seeds.parse(seeds)
    config, clock_mhz = made.build(cpu, controller)
    gateware, title = folder / "gateware", f"{made.title}, {cpu}, {config or controller}"
    clock_names = report.system_clock_names(read(gateware / f"{TOP}.json"))

    def place(seed: int) -> report.Report:
        step = [
            "setup/step",
            f"boards-{folder.name}-seed{seed}",
            f"Place and route {title}, seed {seed} of {tried.last}",
        ]
        command = [sys.executable, "-m", "weir_boards.place", name, str(gateware), str(seed)]
        if subprocess.run(step + command, check=False).returncode != 0:
            raise ToolError(f"seed {seed} of {title} could not be placed")
        found = report.parse(read(gateware / f"seed{seed}.json"), clock_mhz, clock_names)
        print(f"      {found.system.fmax_mhz:.2f} MHz of {clock_mhz} with seed {seed}", flush=True)
        return found

    results_of = [folder / f"{folder.name}.{ending}" for ending in ("bit", "svf", "txt")]
    for path in results_of:
        path.unlink(missing_ok=True)
    found = search(tried, place)
    seed = best(found)
    text = found[seed].text(f"{title}, seed {seed}")
    print(text, end="")
    whole_files.write(folder, {results_of[2].name: text.encode()})
    if found[seed].met:
        pack(gateware, seed, results_of[:2])
    rows.put(results, row(name, cpu, controller, config, found))
    return found[seed].met


def pack(gateware: Path, seed: int, results: list[Path]) -> None:
    """The bitstream of a seed, and as SVF. ToolError when ecppack fails or the disk is full."""
    made_of = (f"{TOP}.bit", f"{TOP}.svf")
    run(gateware, ECPPACK, "--compress", f"seed{seed}.config", "--bit", made_of[0], "--svf", made_of[1], writes=made_of)
    for path in results:
        (gateware / f"{TOP}{path.suffix}").replace(path)
        print(f"wrote {path}")


def main() -> None:
    *build, folder, results = words(__doc__)
    try:
        met = bitstream(*build, Path(folder), Path(results))
    except (BoardError, ToolError, ValueError, OSError) as error:
        sys.exit(f"weir_boards: {error}")
    if not met:
        sys.exit("weir_boards: no seed met timing; try more (SEEDS=) or a lower clock (boards/weir_boards)")


if __name__ == "__main__":
    main()
