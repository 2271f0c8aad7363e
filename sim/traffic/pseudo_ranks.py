# SPDX-License-Identifier: Apache-2.0
"""Refresh policies and write drains of Weir on one rank, on two and four pseudo-ranks of it that refresh apart, and on
four ranks, all of the 32 Gb chips of the paper on rank assignment at extended temperature, by random accesses.

    pseudo_ranks.py            runs them all and prints the tables, as `make pseudo-ranks` does
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
SYSTEMS = ("tableii-1rank", "tableii-2pseudo", "tableii-4pseudo", "tableii-4rank")
UNREFRESHED = "refresh=none"
# By pattern: refreshes by reads alone, drains by two reads to a write of a memory that needs no refresh.
POLICIES = {
    "random_read": (
        Policy("none", {"refresh_policy": NONE}, UNREFRESHED),
        Policy("simultaneous", {"refresh_policy": SIMULTANEOUS}),
        Policy("elastic", {"refresh_policy": ELASTIC}),
        Policy("defer until empty", {"refresh_policy": DEFER_UNTIL_EMPTY}),
        Policy("staggered", {"refresh_policy": STAGGERED}),
    ),
    "random_2to1": (
        Policy("drained apart", {"refresh_policy": NONE}, UNREFRESHED),
        Policy("drained together", {"refresh_policy": NONE, "drain_policy.ranks": 1}, UNREFRESHED),
    ),
}
Found = dict[tuple[str, str], tuple[float, float]]


def measure(pattern: str, console) -> tuple[Found, list[str]]:
    """Share of the bus and 99th percentile of the read latency, each as the mean of the seeds, by policy and system;
    and what failed."""
    points = {system: Point(system, pattern, 1, 16, 64) for system in SYSTEMS}
    jobs = {
        (policy.name, system, seed): (
            "weir",
            point,
            seed,
            tuple(registers.words(run.weir_config(point) / "Weir.rdl", policy.fields)),
            policy.features,
        )
        for policy in POLICIES[pattern]
        for system, point in points.items()
        for seed in SEEDS
    }
    measured, failures = run.together(pattern, list(jobs.values()), run.simulate, console)
    if failures:
        return {}, failures
    found = {}
    for policy in POLICIES[pattern]:
        for system, point in points.items():
            rows = [run.row("weir", point, measured[jobs[policy.name, system, seed]]) for seed in SEEDS]
            found[policy.name, system] = (
                mean(row["efficiency"] for row in rows),
                mean(row["read_latency_p99"] for row in rows),
            )
    return found, []


def table(pattern: str, found: Found) -> Table:
    shown = Table(title=f"{pattern}, 16 ids: share of the bus, and 99th percentile of the read latency in DRAM clocks")
    shown.add_column("policy")
    for system in SYSTEMS:
        shown.add_column(system, justify="right")
        shown.add_column("p99", justify="right")
    for policy in POLICIES[pattern]:
        cells = [found[policy.name, system] for system in SYSTEMS]
        shown.add_row(policy.name, *(text for share, p99 in cells for text in (f"{share:.3f}", f"{p99:.0f}")))
    return shown


def main() -> int:
    console = run.terminal()
    if missing := run.not_built([("weir", Point(system, "random_read", 1, 16, 64)) for system in SYSTEMS]):
        console.print(f"Not built: {', '.join(missing)}; `make pseudo-ranks` builds them.", soft_wrap=True)
        return 2
    for pattern in POLICIES:
        found, failures = measure(pattern, console)
        for complaint in failures:
            console.print(complaint, markup=False, highlight=False, soft_wrap=True)
        if failures:
            return 1
        console.print(table(pattern, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
