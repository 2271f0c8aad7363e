# SPDX-License-Identifier: Apache-2.0
"""Refresh policies and write drains of Weir on one rank, on two and four pseudo-ranks of it that refresh apart, and on
four ranks, all of the 32 Gb chips of the paper on rank assignment at extended temperature, by random accesses; and
refresh policies on a rank of DDR5, which is refreshed as a whole or in sets of banks.

    pseudo_ranks.py            runs them all and prints the tables, as `make pseudo-ranks` does
"""

from __future__ import annotations

import sys
from statistics import mean

import run
from matrix import Point
from refresh_policies import (
    DEFER_UNTIL_EMPTY,
    ELASTIC,
    NONE,
    SIMULTANEOUS,
    STAGGERED,
    UNREFRESHED,
    Policy,
    simulate,
)
from rich.table import Table

SYSTEMS = ("tableii-1rank", "tableii-2pseudo", "tableii-4pseudo", "tableii-4rank")
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
# A rank of DDR5, and its sets of banks; a real part has no choice not to be refreshed.
DDR5_SYSTEMS = ("ddr5", "ddr5-sets")
DDR5_POLICIES = dict.fromkeys(("random_read", "random_2to1"), POLICIES["random_read"][1:])
MEASURED = ((SYSTEMS, POLICIES), (DDR5_SYSTEMS, DDR5_POLICIES))
Found = dict[tuple[str, str], tuple[float, float]]


def measure(pattern: str, systems: tuple[str, ...], policies: tuple[Policy, ...], console) -> tuple[Found, list[str]]:
    """Share of the bus and 99th percentile of the read latency, each as the mean of the seeds, by policy and system;
    and what failed."""
    points = [Point(system, pattern, 1, 16, 64) for system in systems]
    rows, failures = simulate(pattern, dict.fromkeys(points, policies), console)
    found = {
        (policy, point.system): tuple(mean(row[key] for row in seeds) for key in ("efficiency", "read_latency_p99"))
        for (point, policy), seeds in rows.items()
    }
    return found, failures


def table(pattern: str, systems: tuple[str, ...], policies: tuple[Policy, ...], found: Found) -> Table:
    shown = Table(title=f"{pattern}, 16 ids: share of the bus, and 99th percentile of the read latency in DRAM clocks")
    shown.add_column("policy")
    for system in systems:
        shown.add_column(system, justify="right")
        shown.add_column("p99", justify="right")
    for policy in policies:
        cells = [found[policy.name, system] for system in systems]
        shown.add_row(policy.name, *(text for share, p99 in cells for text in (f"{share:.3f}", f"{p99:.0f}")))
    return shown


def main() -> int:
    console = run.terminal()
    if missing := run.not_built(
        [("weir", Point(system, "random_read", 1, 16, 64)) for system in SYSTEMS + DDR5_SYSTEMS]
    ):
        console.print(f"Not built: {', '.join(missing)}; `make pseudo-ranks` builds them.", soft_wrap=True)
        return 2
    for systems, of_pattern in MEASURED:
        for pattern, policies in of_pattern.items():
            found, failures = measure(pattern, systems, policies, console)
            for complaint in failures:
                console.print(complaint, markup=False, highlight=False, soft_wrap=True)
            if failures:
                return 1
            console.print(table(pattern, systems, policies, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
