# SPDX-License-Identifier: Apache-2.0
"""Threads of one process under Rank Assignment."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator
from dataclasses import dataclass

import bars
import estimate
from captured import programs as table
from captured import workloads
from execution_time import time
from figure import Compared, Figure, Results, Setting, Wanted, seeds

STAGGERED = Setting("paper", "staggered")
ASSIGNED = Setting("paper", "staggered", "rank_assignment")
ELSEWHERE, LESS_TIME = "accesses elsewhere", "decrease of the time"
"""The share of the accesses that go to another rank than their thread's preferred one, of the thread with most of them,
and how much less time the program takes; percent."""
PAPER = {"mg": {ELSEWHERE: 15.86, LESS_TIME: 9.0}, "canneal": {ELSEWHERE: 62.59, LESS_TIME: -1.0}}
COUNTER = re.compile(r"source_rank\[(?P<source>\d+)\]\[(?P<rank>\d+)\]\.(?P<name>\w+)")
BURSTS = [f"{kind}_{row}" for kind in ("read", "write") for row in ("hits", "misses", "conflicts")]
"""Counters of a source and a rank, which count each of its bursts once together (docs/counters.md)."""


def elsewhere(result: dict) -> float:
    """Of the thread with the most accesses in other ranks than its preferred one, their share, in percent. Raises
    ValueError where a thread has none."""
    preferred = [core["preferred_rank"] for core in result["cores"]]
    if None in preferred:
        raise ValueError(f"the thread on hart {preferred.index(None)} did not tell which rank it prefers")
    there, all_of = collections.Counter(), collections.Counter()
    for name, count in result["counters"].items():
        if (counter := COUNTER.match(name)) and counter["name"] in BURSTS:
            source = int(counter["source"])
            all_of[source] += count
            there[source] += count if int(counter["rank"]) == preferred[source] else 0
    return max(100 * (1 - there[source] / count) for source, count in all_of.items())


@dataclass(frozen=True)
class Threads(Figure):
    title = "Programs of eight threads under Rank Assignment"
    source = "Rank Assignment, Table III; its other two programs are of CloudSuite"
    explanation = (
        "Here one thread makes canneal's netlist, so that all of it lies in that thread's rank; MG's threads touch the "
        "planes that they work on."
    )

    def settings(self) -> tuple[Setting, ...]:
        return (STAGGERED, ASSIGNED)

    def _threaded(self, programs: list[str]) -> list[str]:
        known = table.load()
        return [program for program in programs if known[program].threads]

    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        yield from super().wanted([workloads.threads(program) for program in self._threaded(programs)], starts)

    def _estimates(self, results: Results, program: str) -> dict[str, estimate.Estimate]:
        def taken(setting: Setting, seed: int) -> float:
            return time(results[Wanted(setting, workloads.threads(program), seed)])

        def moved(seed: int) -> float:
            return elsewhere(results[Wanted(ASSIGNED, workloads.threads(program), seed)])

        starts = seeds(results)
        return {
            ELSEWHERE: estimate.of([moved(seed) for seed in starts]),
            LESS_TIME: estimate.of([100 * (1 - taken(ASSIGNED, seed) / taken(STAGGERED, seed)) for seed in starts]),
        }

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [
            {"program": program, "setting": quantity, **found.row()}
            for program in self._threaded(programs)
            for quantity, found in self._estimates(results, program).items()
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return [
            Compared(f"{quantity}, {program}", "%", PAPER[program][quantity], found)
            for program in self._threaded(programs)
            if program in PAPER
            for quantity, found in self._estimates(results, program).items()
        ]

    def draw(self, rows: list[dict], axes) -> None:
        bars.draw(rows, [ELSEWHERE, LESS_TIME], axes)
        axes.set_ylabel("%")


FIGURE = Threads()
