# SPDX-License-Identifier: Apache-2.0
"""Combinations of policies: every value of each together with every value of each other, in few combinations."""

from collections.abc import Callable
from itertools import combinations

from allpairspy import AllPairs
from testbench.patterns import BACK_PRESSURE
from testbench.policies import Policies
from testbench.traffic import PROFILES

Combination = dict[str, object]


def pairs(row: Combination) -> set[tuple]:
    """The pairs of values in a combination, each in the order of their names."""
    return set(combinations(sorted(row.items()), 2))


def wanted(dimensions: dict[str, list], possible: Callable[[Combination], bool]) -> set[tuple]:
    """All pairs of values that can stand together, each in the order of their names."""
    return {
        ((one, first), (other, second))
        for one, other in combinations(sorted(dimensions), 2)
        for first in dimensions[one]
        for second in dimensions[other]
        if possible({one: first, other: second})
    }


def pairwise(
    dimensions: dict[str, list], possible: Callable[[Combination], bool], first: list[Combination] | None = None
) -> list[Combination]:
    """Combinations that have all pairs of values which can stand together.

    Args:
        dimensions: names and values; the first value of each is its usual one
        possible: whether values of some dimensions can stand together
        first: combinations to begin with
    """
    names = list(dimensions)
    rows = list(first or [])
    for found in AllPairs(
        list(dimensions.values()),
        filter_func=lambda row: possible(dict(zip(names, row, strict=False))),
        previously_tested=[list(row.values()) for row in rows],
    ):
        rows.append(dict(zip(names, found, strict=True)))
    # where values exclude each other the library ends early
    missing = wanted(dimensions, possible).difference(*map(pairs, rows))
    while missing:
        row = _with_most_of(missing, dimensions, possible)
        rows.append(row)
        missing -= pairs(row)
    return rows


def _with_most_of(
    missing: set[tuple], dimensions: dict[str, list], possible: Callable[[Combination], bool]
) -> Combination:
    """A combination with one of these pairs and, value by value, with as many others as fit; the usual values else."""
    part = dict(min(missing, key=repr))
    for name, values in dimensions.items():
        if name not in part:
            fitting = [value for value in values if possible(part | {name: value})]
            part[name] = max(fitting, key=lambda value: sum(_with(name, value, pair, part) for pair in missing))
    return {name: part[name] for name in dimensions}


def _with(name: str, value: object, pair: tuple, part: Combination) -> bool:
    """Whether the value makes this pair whole."""
    (one, first), (other, second) = pair
    if one == name:
        return first == value and part.get(other) == second
    return other == name and second == value and part.get(one) == first


SLOWEST = 8  # a memory that is more times slower takes too long to simulate in every combination


def can_stand_together(policies: Policies, part: Combination) -> bool:
    """Whether some policies hold together, and are simulated together."""
    if part.get("time_scale.factor", 1) > SLOWEST:
        if part.get("time_scale.slow_memory"):
            return False
        part = part | {"time_scale.slow_memory": 0}
    return policies.possible({name: value for name, value in part.items() if name in policies.fields})


def of_policies(policies: Policies, timings: bool) -> list[Combination]:
    """Combinations of what software may set, and of what traffic is like.

    Args:
        policies: what may be set
        timings: whether the timings too; combinations at the part's own timings, where the controller is at its
            fastest, have all pairs of policies by themselves
    """
    values = {name: policies.values(name) for name in policies.fields}
    slower = {name: values[name] for name, field in policies.fields.items() if field.timing}
    others = {name: values[name] for name in values if name not in slower}
    others |= {"traffic": list(PROFILES), "pause": list(BACK_PRESSURE)}

    def possible(part: Combination) -> bool:
        return can_stand_together(policies, part)

    preset = {name: of[0] for name, of in slower.items()}
    rows = [row | preset for row in pairwise(others, possible)]
    return pairwise(others | slower, possible, rows) if timings else rows
