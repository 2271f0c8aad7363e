# SPDX-License-Identifier: Apache-2.0
"""Collects the coverage of simulations, compares it with the list of what is not reached, and writes reports.

python tests/coverage/collect.py RUNS --hardware HW --list unreached.toml --output FOLDER

RUNS is a folder with RUN/coverage.dat for each simulation, HW has CONFIG/Weir.sv. Exit code 1 where something is not
reached and not listed, 2 where files are missing or wrong.
"""

import argparse
import sys
from pathlib import Path

import exclusions
import report
from items import Items
from locators import Verilog
from points import read

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 40  # of what is not reached, on the console; the page has all


def collect(runs: Path, hardware: Path, root: Path) -> tuple[Items, list[str]]:
    """All items of all simulations, and the simulations' names.

    Raises:
        ValueError: where there is none, or a file is not as it should be
    """
    items, names, verilog = Items(root), [], {}
    for data in sorted(runs.glob("*/coverage.dat")):
        points = list(read(data))
        for path in {point.verilog for point in points if Path(point.verilog).name == "Weir.sv"}:
            config = Path(path).parent.name
            if config not in verilog:
                verilog[config] = Verilog(hardware / config / "Weir.sv")
            items.add(points, {"Weir.sv": verilog[config]})
        names.append(data.parent.name)
    if not names:
        raise ValueError(f"{runs} has no */coverage.dat: nothing was simulated with coverage")
    return items, names


def main(arguments: list[str], root: Path = ROOT) -> int:
    """What the command line does; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("--hardware", type=Path, default=root / "build" / "hw")
    parser.add_argument("--list", type=Path, default=Path(__file__).resolve().parent / "unreached.toml")
    parser.add_argument("--output", type=Path, default=root / "build" / "coverage")
    options = parser.parse_args(arguments)
    try:
        entries = exclusions.load(options.list)
        items, names = collect(options.runs, options.hardware, root)
    except (OSError, ValueError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 2
    judgement = exclusions.judge(items, entries)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "report.md").write_text(report.page(items, judgement, names), encoding="utf-8")
    (options.output / "coverage.info").write_text(report.lcov(items, judgement, root), encoding="utf-8")
    return show(items, judgement, options)


def show(items: Items, judgement: exclusions.Judgement, options: argparse.Namespace) -> int:
    """Prints what somebody has to do something about, and gives the exit code."""
    for kind in ("branch", "toggle"):
        parts = [count > 0 for key, item in items.items() if key.kind == kind for count in item.parts.values()]
        name = "sides of branches" if kind == "branch" else "edges of signals"
        print(f"coverage: {sum(parts)} of {len(parts)} {name}")
    for entry, there in judgement.idle:
        why = "is reached" if there else "there is none"
        print(f"coverage: {options.list} lists {entry.kind} {entry.name} of {entry.file}: {why}")
    for key, parts in list(judgement.unlisted.items())[:SHOWN]:
        print(f"coverage: not reached: {report.describe(key, items[key], parts)}")
    if len(judgement.unlisted) > SHOWN:
        print(f"coverage: and {len(judgement.unlisted) - SHOWN} more")
    written = options.output / "report.md"
    print(f"coverage: {len(judgement.unlisted)} not reached and not listed; the report is {written}")
    return 1 if judgement.unlisted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
