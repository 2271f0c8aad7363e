# SPDX-License-Identifier: Apache-2.0
"""The refresh policies of Weir on one rank, on two and four pseudo-ranks of it that refresh apart, and on four ranks,
all of the 32 Gb chips of the paper on rank assignment at extended temperature, by random reads.

    pseudo_ranks.py            runs them all and prints the table, as `make pseudo-ranks` does
"""

from __future__ import annotations

import sys
from statistics import mean

import registers
import run
from matrix import Point
from refresh_policies import DEFER_UNTIL_EMPTY, ELASTIC, NONE, SIMULTANEOUS, STAGGERED, Policy
from rich.table import Table

SEEDS = (1, 2, 3)
POINTS = tuple(
    Point(system, "random_read", 1, 16, 64)
    for system in ("tableii-1rank", "tableii-2pseudo", "tableii-4pseudo", "tableii-4rank")
)
POLICIES = (
    Policy("none", {"refresh_policy": NONE}, "refresh=none"),
    Policy("simultaneous", {"refresh_policy": SIMULTANEOUS}),
    Policy("elastic", {"refresh_policy": ELASTIC}),
    Policy("defer until empty", {"refresh_policy": DEFER_UNTIL_EMPTY}),
    Policy("staggered", {"refresh_policy": STAGGERED}),
)


def measure(console) -> tuple[dict[tuple[str, str], tuple[float, float]], list[str]]:
    """Share of the bus and 99th percentile of the read latency, each as the mean of the seeds, by policy and system;
    and what failed."""
    jobs = {
        (policy.name, point.system, seed): (
            "weir",
            point,
            seed,
            tuple(registers.words(run.register_description(point), policy.fields)),
            policy.features,
        )
        for policy in POLICIES
        for point in POINTS
        for seed in SEEDS
    }
    measured, failures = run.together("pseudo-ranks", list(jobs.values()), run.simulate, console)
    if failures:
        return {}, failures
    found = {}
    for policy in POLICIES:
        for point in POINTS:
            rows = [run.row("weir", point, measured[jobs[policy.name, point.system, seed]]) for seed in SEEDS]
            found[policy.name, point.system] = (
                mean(row["efficiency"] for row in rows),
                mean(row["read_latency_p99"] for row in rows),
            )
    return found, []


def table(found: dict[tuple[str, str], tuple[float, float]]) -> Table:
    shown = Table(
        title="Random reads, 16 ids: share of the bus, and 99th percentile of the read latency in DRAM clocks"
    )
    shown.add_column("policy")
    for point in POINTS:
        shown.add_column(point.system, justify="right")
        shown.add_column("p99", justify="right")
    for policy in POLICIES:
        cells = [found[policy.name, point.system] for point in POINTS]
        shown.add_row(policy.name, *(text for share, p99 in cells for text in (f"{share:.3f}", f"{p99:.0f}")))
    return shown


def main() -> int:
    console = run.terminal()
    if missing := run.not_built([("weir", point) for point in POINTS]):
        console.print(f"Not built: {', '.join(missing)}; `make pseudo-ranks` builds them.", soft_wrap=True)
        return 2
    found, failures = measure(console)
    for complaint in failures:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    if failures:
        return 1
    console.print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
