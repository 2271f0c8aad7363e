# SPDX-License-Identifier: Apache-2.0
"""Weir's row policies and write drain policies against each other, chosen by register, on the same traffic.

Writes build/results/policies.json: `rows`, those of traffic.json (see run.py's `row`) and in each `kind` ("row" or
"drain"), `policy` and `efficiency_to_default`, its efficiency as a share of the default policy's; and prints a table of
each kind. The exit code is 1 when a run failed, or when Weir broke a protocol rule or starved a port.

usage: policies.py [--kind row|drain] [--seed N] [--output DIR]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import run
from matrix import DEFAULT_SYSTEM, Point
from rich.console import Console
from rich.table import Table

# Each policy by the register fields that choose it; the first of a kind is the default, that of the reset values.
POLICIES: dict[str, dict[str, dict[str, int]]] = {
    "row": {
        "adaptive": {"row_policy": 3},
        "open": {"row_policy": 0},
        "closed": {"row_policy": 1},
        "timeout 16": {"row_policy": 2, "row_timeout": 16},
        "timeout 64": {"row_policy": 2, "row_timeout": 64},
    },
    "drain": {
        "marks of each rank": {"drain_policy.priority": 0},
        "shared marks": {"drain_policy.marks": 1},
        "ranks together": {"drain_policy.ranks": 1},
        "shared, together": {"drain_policy.marks": 1, "drain_policy.ranks": 1},
        "from the high mark": {"drain_policy.start": 1},
        "reads ahead": {"drain_policy.reads": 1},
        "equal priority": {"drain_policy.priority": 1},
    },
}

# Pattern and ids of one port, in 64-byte bursts.
TRAFFIC: dict[str, tuple[tuple[str, int], ...]] = {
    "row": (
        ("sequential_read", 1),
        ("sequential_read", 16),
        ("random_read", 1),
        ("random_read", 16),
        ("random_2to1", 16),
        ("alternating_runs", 16),
        ("busy_bank", 16),
        ("busy_bank_quarter", 16),
        ("idle_latency", 1),
        ("idle_row_hit", 1),
        ("idle_row_conflict", 1),
    ),
    "drain": (
        ("random_9to1", 16),
        ("random_2to1", 4),
        ("random_2to1", 16),
        ("random_1to1", 16),
        ("alternating_runs", 16),
        ("row_hit_storm", 16),
    ),
}


def points(kind: str) -> list[Point]:
    return [Point(DEFAULT_SYSTEM, pattern, 1, ids, 64) for pattern, ids in TRAFFIC[kind]]


def rows(kind: str, efficiency_rows: dict[tuple[str, Point], dict]) -> list[dict]:
    """Rows of policies.json of a kind, from what each policy measured at each point."""
    default = next(iter(POLICIES[kind]))
    return [
        {
            "kind": kind,
            "policy": policy,
            **row,
            "efficiency_to_default": round(row["efficiency"] / efficiency_rows[default, point]["efficiency"], 4),
        }
        for (policy, point), row in efficiency_rows.items()
    ]


def sweep(kind: str, seed: int, console: Console) -> tuple[list[dict], list[str]]:
    """Rows of a kind, and what failed."""
    words = {policy: run.words(points(kind)[0], fields) for policy, fields in POLICIES[kind].items()}
    jobs = [("weir", point, seed, words[policy]) for point in points(kind) for policy in words]
    measured, failures = run.together(f"{kind} policies", jobs, run.simulate, console)
    if failures:
        return [], failures
    found = {
        (policy, point): run.row("weir", point, measured["weir", point, seed, words[policy]])
        for point in points(kind)
        for policy in words
    }
    return rows(kind, found), []


def table(kind: str, found: list[dict]) -> Table:
    """Share of the bus, and mean read latency in DRAM clocks, of every policy (columns) on every traffic (rows)."""
    shown = Table(
        title=f"{kind} policies: share of the data bus, mean read latency in DRAM clocks", title_justify="left"
    )
    shown.add_column("pattern, ids")
    for policy in POLICIES[kind]:
        shown.add_column(policy, justify="right")
    for pattern, ids in TRAFFIC[kind]:
        cells = {row["policy"]: row for row in found if (row["pattern"], row["ids"]) == (pattern, ids)}
        shown.add_row(f"{pattern}, {ids}", *(cell(cells[policy]) for policy in POLICIES[kind]))
    return shown


def cell(row: dict) -> str:
    """Share of the bus and latency; the latter is missing where no read found its row as the pattern wants it."""
    latency = row["read_latency_mean"]
    return f"{row['efficiency']:.3f} {'-' if latency is None else f'{latency:.0f}'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=POLICIES, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=run.ROOT / "build/results")
    arguments = parser.parse_args()

    console = run.terminal()
    kinds = arguments.kind or list(POLICIES)
    if missing := run.not_built([("weir", point) for kind in kinds for point in points(kind)]):
        console.print(f"Not built: {', '.join(missing)}; `make policies` builds them.", soft_wrap=True)
        return 2
    found, failures = [], []
    for kind in kinds:
        of_kind, failed = sweep(kind, arguments.seed, console)
        found += of_kind
        failures += failed
        if of_kind:
            console.print(table(kind, of_kind))
    wrong = run.faults(found)
    for complaint in failures + wrong:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    if failures:
        return 1
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "policies.json").write_text(
        json.dumps({"seed": arguments.seed, "rows": found}, indent=1) + "\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
