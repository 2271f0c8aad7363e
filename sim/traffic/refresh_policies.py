# SPDX-License-Identifier: Apache-2.0
"""The refresh policies of Weir against each other, chosen by register, on four ranks and read-heavy random traffic."""

from __future__ import annotations

from matrix import Point

POINT = Point("ddr3-4rank", "random_9to1", 1, 16, 64)
SEEDS = (1, 2, 3)

# Each policy by the register fields that choose it. "none", the ideal memory that needs no refresh, is what the others
# are compared with.
POLICIES: dict[str, dict[str, int]] = {
    "elastic, at most 8 owed": {"refresh_postpone": 8},
    "elastic, at most 1 owed": {"refresh_postpone": 1},
}
REFERENCE = "none"


def shares(efficiency: dict[str, list[float]]) -> list[dict]:
    """`refresh_policies` of compare.json, from the efficiencies of each policy's seeds: their mean, and its share of
    the reference's (None while there is no such policy)."""
    means = {policy: sum(values) / len(values) for policy, values in efficiency.items()}
    reference = means.get(REFERENCE)
    return [
        {
            "policy": policy,
            "efficiency": round(mean, 5),
            "share_of_none": round(mean / reference, 5) if reference else None,
        }
        for policy, mean in means.items()
    ]
