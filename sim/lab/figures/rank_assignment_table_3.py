# SPDX-License-Identifier: Apache-2.0
"""Threads of one process under Rank Assignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import estimate
from captured import programs as table
from captured import workloads
from execution_time import time
from figure import Compared, Figure, Results, Setting, Wanted, seeds

STAGGERED = Setting("paper", "staggered")
ASSIGNED = Setting("paper", "staggered", "rank_assignment")
PAPER = {"mg": 9.0, "canneal": -1.0}
"""How much less time they take, percent."""


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

    def _estimate(self, results: Results, program: str) -> estimate.Estimate:
        def taken(setting: Setting, seed: int) -> float:
            return time(results[Wanted(setting, workloads.threads(program), seed)])

        return estimate.of([100 * (1 - taken(ASSIGNED, seed) / taken(STAGGERED, seed)) for seed in seeds(results)])

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [{"program": program, **self._estimate(results, program).row()} for program in self._threaded(programs)]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return [
            Compared(f"decrease of the time, {program}", "%", PAPER[program], self._estimate(results, program))
            for program in self._threaded(programs)
            if program in PAPER
        ]

    def draw(self, rows: list[dict], axes) -> None:
        axes.bar([row["program"] for row in rows], [row["mean"] for row in rows], 0.5)
        axes.set_ylabel("decrease of the time, %")


FIGURE = Threads()
