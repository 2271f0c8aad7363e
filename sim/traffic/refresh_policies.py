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
import registers
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


# "none", the ideal memory that needs no refresh, is what the others are compared with.
REFERENCE = "none"
_WHOLE = (
    Policy("none", {"refresh_policy": NONE}, "refresh=none"),
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


def measure(console) -> tuple[list[dict], list[str]]:
    """`refresh_policies` of compare.json, and what failed."""
    jobs = {
        (point, policy.name, seed): (
            "weir",
            point,
            seed,
            tuple(registers.words(run.weir_config(point) / "Weir.rdl", policy.fields)),
            policy.features,
        )
        for point in POINTS
        for policy in POLICIES[point.system]
        for seed in SEEDS
    }
    measured, failures = run.together("refresh policies", list(jobs.values()), run.simulate, console)
    if failures:
        return [], failures
    found = []
    for point in POINTS:
        efficiency = {
            policy.name: [
                run.row("weir", point, measured[jobs[point, policy.name, seed]])["efficiency"] for seed in SEEDS
            ]
            for policy in POLICIES[point.system]
        }
        found += shares(point.system, efficiency)
    return found, []


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
