# SPDX-License-Identifier: Apache-2.0
"""Makes a figure of the runs that it needs.

usage: make_figure.py NAME RUNS OUTPUT [--programs NAME,...] [--starts N]
RUNS is the folder of the records (experiments/experiment.py). Writes OUTPUT/NAME.json and OUTPUT/NAME.svg. Exit code 2
for wrong arguments, 1 for a record that is missing or damaged, programs that the figure has nothing of, a program that
is not what programs.yaml says, or a figure that cannot be written.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

import known
import matplotlib as mpl
from captured import programs as table
from figure import STARTS, Figure, Results

sys.path.append(str(Path(__file__).resolve().parents[1] / "experiments"))
import records
import tables

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "weir"  # the same picture is the same file
from matplotlib import pyplot  # noqa: E402

RESULT = {
    **dict.fromkeys(("cycles", "core_cycles", "reads", "writes"), int),
    "cores": list,
    "dram": list,
    "counters": dict,
}
"""Fields of a run's result that figures are made of."""


def results(figure: Figure, programs: list[str], starts: int, runs: Path) -> tuple[Results, list[str]]:
    """What was measured, and the commits that it was measured at. Raises RecordError."""
    found, commits = {}, set()
    for wanted in figure.wanted(programs, starts):
        record = records.read(runs / wanted.path, {"commit": str, "result": dict})
        found[wanted] = records.fields(f"{runs / wanted.path}: result", record["result"], RESULT)
        commits.add(record["commit"])
    return found, sorted(commits)


def draw(figure: Figure, rows: list[dict]) -> str:
    """The text of a picture (SVG)."""
    drawn, axes = pyplot.subplots(figsize=(12, 4.5), layout="constrained")
    figure.draw(rows, axes)
    text = io.StringIO()
    drawn.savefig(text, metadata={"Date": None})
    pyplot.close(drawn)
    return text.getvalue()


def _chosen(parser: argparse.ArgumentParser, asked: str, known: dict) -> list[str]:
    """The programs that --programs asks for; ends for wrong ones."""
    chosen = asked.split(",")
    for program in chosen:
        if program not in known:
            parser.error(f"--programs {program}: no such program; there are {', '.join(known)}")
        if chosen.count(program) > 1:
            parser.error(f"--programs {asked}: {program} is there twice")
    return chosen


def _make(parser: argparse.ArgumentParser, options: argparse.Namespace, figure: Figure) -> None:
    """Reads the records and writes the figure. Raises RecordError, TableError, ValueError."""
    programs = table.load()
    own = figure.programs(programs)
    chosen = own if options.programs is None else _chosen(parser, options.programs, programs)
    measured, commits = results(figure, chosen, options.starts, options.runs)
    rows = figure.rows(measured, chosen)
    if not rows:
        raise ValueError(f"{options.name} has nothing of {', '.join(chosen)}: it is of other programs")
    made = {
        "figure": options.name,
        "title": figure.title,
        "source": figure.source,
        # it is told of what came of the figure's own programs
        "explanation": figure.explanation if chosen == own else "",
        "commits": commits,
        "programs": chosen,
        "rows": rows,
        "compared": [compared.row() for compared in figure.compared(measured, chosen)],
    }
    records.write(options.output / f"{options.name}.svg", draw(figure, rows))
    records.write(options.output / f"{options.name}.json", json.dumps(made, indent=1) + "\n")


def main(arguments: list[str] | None = None) -> int:
    figures = known.figures()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=figures, metavar="NAME", help=f"one of {', '.join(figures)}")
    parser.add_argument("runs", type=Path, help="folder of the records of runs")
    parser.add_argument("output", type=Path, help="folder for the figure")
    parser.add_argument("--programs", help="with commas between (default: those that the figure is of)")
    parser.add_argument("--starts", type=int, default=STARTS, help="of each program (default %(default)s)")
    options = parser.parse_args(arguments)
    if options.starts < 1:
        parser.error(f"--starts {options.starts}: must be at least 1")
    try:
        _make(parser, options, figures[options.name])
    except (records.RecordError, tables.TableError, ValueError) as error:
        print(f"make_figure.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
