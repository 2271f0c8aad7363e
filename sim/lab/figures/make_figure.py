# SPDX-License-Identifier: Apache-2.0
"""Makes a figure of the runs that it needs.

usage: make_figure.py NAME RUNS OUTPUT [--programs NAME,...] [--starts N]
RUNS is the folder of the records (experiments/experiment.py). Writes OUTPUT/NAME.json and OUTPUT/NAME.svg. Exit code 2
for wrong arguments, 1 for a record that is missing or a program that is not what programs.yaml says.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import known
import matplotlib as mpl
from captured import programs as table
from figure import STARTS, Figure, Results

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "weir"  # the same picture is the same file
from matplotlib import pyplot  # noqa: E402


def results(figure: Figure, programs: list[str], starts: int, runs: Path) -> tuple[Results, list[str]]:
    """What was measured, and the commits that it was measured at."""
    found, commits = {}, set()
    for wanted in figure.wanted(programs, starts):
        record = json.loads((runs / wanted.path).read_text())
        found[wanted] = record["result"]
        commits.add(record["commit"])
    return found, sorted(commits)


def draw(figure: Figure, rows: list[dict], path: Path) -> None:
    drawn, axes = pyplot.subplots(figsize=(12, 4.5), layout="constrained")
    figure.draw(rows, axes)
    drawn.savefig(path, metadata={"Date": None})
    pyplot.close(drawn)


def main(arguments: list[str] | None = None) -> int:
    figures, programs = known.figures(), table.load()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=figures, metavar="NAME", help=f"one of {', '.join(figures)}")
    parser.add_argument("runs", type=Path, help="folder of the records of runs")
    parser.add_argument("output", type=Path, help="folder for the figure")
    parser.add_argument("--programs", help="with commas between (default: those that the figure is of)")
    parser.add_argument("--starts", type=int, default=STARTS, help="of each program (default %(default)s)")
    options = parser.parse_args(arguments)
    if options.starts < 1:
        parser.error(f"--starts {options.starts}: must be at least 1")
    figure = figures[options.name]
    chosen = figure.programs(programs) if options.programs is None else options.programs.split(",")
    for program in chosen:
        if program not in programs:
            parser.error(f"--programs {program}: no such program; there are {', '.join(programs)}")
    try:
        measured, commits = results(figure, chosen, options.starts, options.runs)
        rows = figure.rows(measured, chosen)
    except (OSError, ValueError) as error:
        print(f"make_figure.py: {error}", file=sys.stderr)
        return 1
    made = {
        "figure": options.name,
        "title": figure.title,
        "source": figure.source,
        "explanation": figure.explanation,
        "commits": commits,
        "programs": chosen,
        "rows": rows,
        "compared": [compared.row() for compared in figure.compared(measured, chosen)],
    }
    options.output.mkdir(parents=True, exist_ok=True)
    draw(figure, rows, options.output / f"{options.name}.svg")
    (options.output / f"{options.name}.json").write_text(json.dumps(made, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
