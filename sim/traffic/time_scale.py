# SPDX-License-Identifier: Apache-2.0
"""How exactly Weir's time scale makes the memory slower: the same traffic at several factors.

Of a DRAM that is so much slower itself (`slow`), and of one that is not and is refreshed in real time (`real_time`).
What is measured is told in docs/policies/time-scaling.md.

Writes build/results/time_scale.json: `rows`, those of traffic.json (see run.py's `row`) and in each `factor`, `memory`,
`pace` (efficiency times the factor, as a share of that of factor 1) and `latency` (mean read latency as a share of the
factor times that of factor 1); and prints a table. The exit code is 1 when a run failed, or when Weir broke a protocol
rule.

usage: time_scale.py [--seed N] [--output DIR]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import run
from matrix import DEFAULT_SYSTEM, Point
from rich.table import Table

FACTORS = {"slow": (2, 4, 8), "real_time": (2, 4, 8)}
TRAFFIC = (
    ("sequential_read", 16),
    ("random_read", 1),
    ("random_read", 16),
    ("random_2to1", 16),
    ("random_1to1", 16),
    ("idle_row_hit", 1),
    ("idle_row_conflict", 1),
)

# Writes of a register that take longer than a factor takes until it is in force.
WRITES = 10


def points() -> list[Point]:
    return [Point(DEFAULT_SYSTEM, pattern, 1, ids, 64) for pattern, ids in TRAFFIC]


def words(point: Point, factor: int, memory: str) -> tuple[tuple[int, int], ...]:
    """What is written to the registers."""
    fields = {"time_scale.factor": factor, "time_scale.slow_memory": int(memory == "slow")}
    return run.settings("weir", point) + run.words(point, fields) * WRITES


def scales() -> list[tuple[int, str]]:
    """Factors and kinds of memory; of each kind factor 1 too."""
    return [(factor, memory) for memory, factors in FACTORS.items() for factor in (1, *factors)]


def job(point: Point, seed: int, factor: int, memory: str) -> tuple:
    """A simulation that lasts as many times longer."""
    features = f"time_scale={factor}" if memory == "slow" else ""
    return ("weir", point, seed, words(point, factor, memory), features, factor)


def rows(measured: dict[tuple[Point, int, str], dict]) -> list[dict]:
    """Rows of time_scale.json, from the rows of each point, factor and kind of memory."""
    found = []
    for (point, factor, memory), row in measured.items():
        once = measured[point, 1, memory]
        latency, single = row["read_latency_mean"], once["read_latency_mean"]
        found.append(
            {
                "factor": factor,
                "memory": memory,
                **row,
                "pace": round(factor * row["efficiency"] / once["efficiency"], 4),
                "latency": round(latency / (factor * single), 4),
            }
        )
    return found


def table(found: list[dict]) -> Table:
    """Pace and latency of every factor and kind of memory (columns) on every traffic (rows)."""
    shown = Table(title="Time scale: pace and mean read latency, as shares of factor 1", title_justify="left")
    shown.add_column("pattern, ids")
    columns = [(factor, memory) for factor, memory in scales() if factor > 1]
    for factor, memory in columns:
        shown.add_column(f"{memory} {factor}", justify="right")
    for pattern, ids in TRAFFIC:
        of = {(row["factor"], row["memory"]): row for row in found if (row["pattern"], row["ids"]) == (pattern, ids)}
        cells = [f"{of[column]['pace']:.2f} {of[column]['latency']:.2f}" for column in columns]
        shown.add_row(f"{pattern}, {ids}", *cells)
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=run.ROOT / "build/results")
    arguments = parser.parse_args()

    console = run.terminal()
    if missing := run.not_built([("weir", point) for point in points()]):
        console.print(f"Not built: {', '.join(missing)}; `make time-scale` builds them.", soft_wrap=True)
        return 2
    jobs = {(point, *scale): job(point, arguments.seed, *scale) for point in points() for scale in scales()}
    measured, failures = run.together("time scale", list(jobs.values()), run.simulate, console)
    for complaint in failures:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    if failures:
        return 1
    found = rows({key: run.row("weir", key[0], measured[of]) for key, of in jobs.items()})
    console.print(table(found))
    broken = [f"Weir broke the protocol: {row}" for row in found if row["violations"]]
    for complaint in broken:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    result = {"seed": arguments.seed, "rows": found}
    (arguments.output / "time_scale.json").write_text(json.dumps(result, indent=1) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
