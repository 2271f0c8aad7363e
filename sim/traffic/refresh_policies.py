# SPDX-License-Identifier: Apache-2.0
"""The refresh policies of Weir against each other, chosen by register, on four ranks and read-heavy random traffic: of
the DDR3 chips of the head to head, and of the 32 Gb chips of the paper on rank assignment at extended temperature,
whose refreshes (640 ns each 3.9 us) weigh more.

    refresh_policies.py            runs them all and prints the table, as `make compare` does among other things
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import figures
import run
from matrix import Point

SEEDS = (1, 2, 3)
POINTS = tuple(Point(system, "random_9to1", 1, 16, 64) for system in ("ddr3-4rank", "tableii-4rank"))

# Codes of the register refresh_policy.
DEFER_UNTIL_EMPTY, ELASTIC, STAGGERED, SIMULTANEOUS, FINE, ADAPTIVE, PAUSING, NONE = range(8)


@dataclass(frozen=True)
class Policy:
    """A policy by the register fields that choose it, and the features that the DRAM must have for it
    (sim/dram/README.md)."""

    name: str
    fields: dict[str, int] = field(default_factory=dict)
    features: str = ""


def in_parts(name: str, code: int, parts: int, fields: dict[str, int], features: str = "") -> Policy:
    chosen = {"refresh_policy": code, "refresh_granularity": parts // 2, **fields}
    return Policy(name, chosen, f"fine_refresh={parts},on_the_fly{features}")


# The feature of a DRAM that needs no refresh.
UNREFRESHED = "refresh=none"

# "none", the ideal memory that needs no refresh, is what the others are compared with.
REFERENCE = "none"
_WHOLE = (
    Policy("none", {"refresh_policy": NONE}, UNREFRESHED),
    Policy("simultaneous", {"refresh_policy": SIMULTANEOUS}),
    Policy("staggered", {"refresh_policy": STAGGERED}),
    Policy("staggered, commands drained 100 cycles ahead", {"refresh_policy": STAGGERED, "refresh_drain_ahead": 100}),
    Policy("defer until empty", {"refresh_policy": DEFER_UNTIL_EMPTY}),
    Policy("elastic", {"refresh_policy": ELASTIC}),
)


def optimistic(half: int, quarter: int) -> tuple[Policy, ...]:
    """Parts without recovery time of their own, of so many clocks."""
    fields, feature = {"tRFC2": half, "tRFC4": quarter}, ",optimistic_trfc"
    return (
        in_parts("fine 2x, optimistic", FINE, 2, fields, feature),
        in_parts("fine 4x, optimistic", FINE, 4, fields, feature),
        in_parts("adaptive 4x, optimistic", ADAPTIVE, 4, fields, feature),
        in_parts("pausing 4x, optimistic", PAUSING, 4, fields, feature),
    )


_REAL = (
    in_parts("fine 2x", FINE, 2, {}),
    in_parts("fine 4x", FINE, 4, {}),
    in_parts("adaptive 4x", ADAPTIVE, 4, {}),
    in_parts("pausing 4x", PAUSING, 4, {}),
)

POLICIES: dict[str, tuple[Policy, ...]] = {
    "ddr3-4rank": _WHOLE + optimistic(44, 22),
    "tableii-4rank": _WHOLE + _REAL + optimistic(256, 128),
}


def shares(system: str, efficiency: dict[str, list[float]]) -> list[dict]:
    """Entries of `refresh_policies` of compare.json, from the efficiencies of each policy's seeds: their mean, and its
    share of the reference's (None while there is no such policy)."""
    means = {policy: sum(values) / len(values) for policy, values in efficiency.items()}
    reference = means.get(REFERENCE)
    return [
        {
            "config": system,
            "policy": policy,
            "efficiency": round(mean, 5),
            "share_of_none": round(mean / reference, 5) if reference else None,
        }
        for policy, mean in means.items()
    ]


def simulate(title: str, policies: dict[Point, tuple[Policy, ...]], console) -> tuple[dict, list[str]]:
    """The rows (see run.row) of all seeds by point and name of a policy, for the policies of each point; none when one
    failed. And what failed."""
    jobs = {}
    for point, of_point in policies.items():
        for policy in of_point:
            words = run.words(point, policy.fields)
            jobs[point, policy.name] = [("weir", point, seed, words, policy.features) for seed in SEEDS]
    measured, failures = run.together(title, [job for seeds in jobs.values() for job in seeds], run.simulate, console)
    if failures:
        return {}, failures
    return {key: [run.row("weir", key[0], measured[job]) for job in seeds] for key, seeds in jobs.items()}, []


def measure(console) -> tuple[list[dict], list[str]]:
    """`refresh_policies` of compare.json, and what failed."""
    rows, failures = simulate("refresh policies", {point: POLICIES[point.system] for point in POINTS}, console)
    found = []
    for point in POINTS if rows else ():
        efficiency = {
            policy.name: [row["efficiency"] for row in rows[point, policy.name]] for policy in POLICIES[point.system]
        }
        found += shares(point.system, efficiency)
    return found, failures


def main() -> int:
    console = run.terminal()
    if missing := run.not_built([("weir", point) for point in POINTS]):
        console.print(f"Not built: {', '.join(missing)}; `make compare` builds them.", soft_wrap=True)
        return 2
    found, failures = measure(console)
    for complaint in failures:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    console.print(figures.refresh_table(found))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
