#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the experiments on allocators on the simulated SoC, from where prepare.py has saved it, and keep their figures.

Writes build/results/allocators.json: an object with `rows`, one for each measurement (docs/allocators.md says what is
in them), those of other runs as they were; allocators.html beside it, the report of all of them; and under
build/allocators, as they come, each run's console and weir-sim's messages. Exit code 1 when a run fails; the results
are left as they were then.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "linux"), str(ROOT / "sim" / "progress")]

import kept_rows  # noqa: E402
import prepare  # noqa: E402
import recorded  # noqa: E402
import report  # noqa: E402
from experiments import RUNS, Run, Unexpected, brief, measurement, rows  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: E402
from spoken import SpokenProgress  # noqa: E402

RESULTS = ROOT / "build" / "results" / "allocators.json"
REPORT = ROOT / "build" / "results" / "allocators.html"
FOLDER = ROOT / "build" / "allocators"
PARALLEL = 2
"""Runs at a time."""


def measure(run: Run, record: str, progress: SpokenProgress) -> list[dict]:
    """The rows of a run, which `progress` shows by how long the last one was, of which a file named `record` tells.
    Raises recorded.Failed."""
    folder = FOLDER / run.name
    last = folder / record
    task = progress.add_task(run.name, total=float(last.read_text()) if last.exists() else None)
    megacycles = 0.0

    def advance(now: float) -> None:
        nonlocal megacycles
        megacycles = now
        progress.update(task, completed=now)

    console, _ = recorded.run(run.soc, run.text(), folder, advance, prepare.ready(run.soc))
    last.write_text(f"{megacycles:.3f}\n")
    try:
        return rows(run, console)
    except Unexpected as error:
        raise recorded.Failed(f"{run.name}: {error}; see {folder}/console.txt") from error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    named = {run.name: run for run in RUNS}
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"of {', '.join(named)}; all if none is named")
    parser.add_argument("--brief", action="store_true", help="less of them: for the figures that matter most")
    options = parser.parse_args()
    for name in options.runs:
        if name not in named:
            parser.error(f"there is no run '{name}'; there are {', '.join(named)}")
        if options.brief and named[name].brief is None:
            parser.error(f"a brief measurement has no run '{name}'")
    runs = [named[name] for name in dict.fromkeys(options.runs or named)]
    runs = brief(runs) if options.brief else runs
    for soc in sorted({run.soc for run in runs}):
        if not prepare.ready(soc).is_file():
            parser.error(f"{prepare.ready(soc)} does not exist; `make allocators` makes it")
    console = Console()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} M cycles"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    record = "megacycles-of-last-brief-run" if options.brief else "megacycles-of-last-run"
    measured, failed = {}, []
    with (
        SpokenProgress(*columns, console=console, unit="M cycles") as progress,
        ThreadPoolExecutor(PARALLEL) as pool,
    ):
        running = {pool.submit(measure, run, record, progress): run for run in runs}
        for count, future in enumerate(as_completed(running), 1):
            try:
                measured[running[future].name] = future.result()
            except recorded.Failed as error:
                failed.append(str(error))
            if not console.is_terminal:
                console.print(f"{running[future].name}: {count} of {len(runs)} runs have ended", highlight=False)
    for message in failed:
        print(f"measure.py: {message}", file=sys.stderr)
    if failed:
        return 1
    found = [row for run in runs for row in measured[run.name]]
    all_rows = kept_rows.keep(RESULTS, found, measurement)
    console.print(report.table(report.write(all_rows, REPORT)))
    console.print(f"{RESULTS}, {REPORT}", soft_wrap=True, highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
