# SPDX-License-Identifier: Apache-2.0
"""Make a board's bitstream of its netlist: try seeds until timing is met, pack, report.

usage: python -m weir_boards.bitstream BOARD CPU CONTROLLER SEEDS FOLDER ROWS.json
  SEEDS   seeds to try at the most, 1 and up
  FOLDER  build/boards/NAME, with the SoC in gateware/; NAME.bit, NAME.svf and NAME.txt are written into it
Exits with 1 when no seed meets timing: there is no bitstream then, but the report and the row of the best seed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tools import ECPPACK, ToolError, read, run

from weir_boards import BoardError, board, report, rows
from weir_boards.generate import TOP

MOST_SEEDS = 100


def search(seeds: int, place: Callable[[int], report.Report]) -> dict[int, report.Report]:
    """Reports of the seeds 1 and up, at most `seeds` of them, until one meets timing."""
    found = {}
    for seed in range(1, seeds + 1):
        found[seed] = place(seed)
        if found[seed].met:
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


def seed_limit(text: str) -> int:
    """BoardError unless it is a number of seeds that can be tried."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST_SEEDS:
        raise BoardError(f"SEEDS={text}: must be a number from 1 to {MOST_SEEDS}")
    return int(text)


def bitstream(name: str, cpu: str, controller: str, seeds: str, folder: Path, results: Path) -> bool:
    """Whether timing is met. ToolError when a tool fails."""
    made, limit = board(name), seed_limit(seeds)
    config, clock_mhz = made.build(cpu, controller)
    gateware, title = folder / "gateware", f"{made.title}, {cpu}, {config or controller}"
    clock_names = report.system_clock_names(read(gateware / f"{TOP}.json"))

    def place(seed: int) -> report.Report:
        step = ["setup/step", f"boards-{folder.name}-seed{seed}", f"Place and route {title}, seed {seed} of {limit}"]
        command = [sys.executable, "-m", "weir_boards.place", name, str(gateware), str(seed)]
        if subprocess.run(step + command, check=False).returncode != 0:
            raise ToolError(f"seed {seed} of {title} could not be placed")
        found = report.parse(read(gateware / f"seed{seed}.json"), clock_mhz, clock_names)
        print(f"      {found.system.fmax_mhz:.2f} MHz of {clock_mhz} with seed {seed}", flush=True)
        return found

    results_of = [folder / f"{folder.name}.{ending}" for ending in ("bit", "svf", "txt")]
    for path in results_of:
        path.unlink(missing_ok=True)
    found = search(limit, place)
    seed = best(found)
    text = found[seed].text(f"{title}, seed {seed}")
    print(text, end="")
    results_of[2].write_text(text)
    rows.put(results, row(name, cpu, controller, config, found))
    if not found[seed].met:
        return False
    run(gateware, ECPPACK, "--compress", f"seed{seed}.config", "--bit", f"{TOP}.bit", "--svf", f"{TOP}.svf")
    for path in results_of[:2]:
        (gateware / f"{TOP}{path.suffix}").replace(path)
        print(f"wrote {path}")
    return True


def main() -> None:
    *words, folder, results = sys.argv[1:]
    try:
        met = bitstream(*words, Path(folder), Path(results))
    except (BoardError, ToolError, ValueError) as error:
        sys.exit(f"weir_boards: {error}")
    if not met:
        sys.exit("weir_boards: no seed met timing; try more (SEEDS=) or a lower clock (boards/weir_boards)")


if __name__ == "__main__":
    main()
