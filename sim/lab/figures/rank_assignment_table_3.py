# SPDX-License-Identifier: Apache-2.0
"""Threads of one process under Rank Assignment: how much of what they access lies in other ranks than they prefer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import estimate
from figure import Compared, Figure, Results, Setting, Wanted, seeds

sys.path.append(str(Path(__file__).resolve().parents[1] / "programs"))
import programs as table
import workloads

STAGGERED = Setting("paper", "staggered")
ASSIGNED = Setting("paper", "staggered", "rank_assignment")
ELSEWHERE, DECREASE = "accesses elsewhere", "decrease of the time"

PAPER = {"mg": {ELSEWHERE: 15.86, DECREASE: 9.0}, "canneal": {ELSEWHERE: 62.59, DECREASE: -1.0}}
"""Percent."""


def elsewhere(result: dict) -> float:
    """Of the core that has most: percent of its reads and writes in DRAM outside of the rank that has most of them."""
    counters, cores = result["counters"], len(result["cores"])
    ranks = sum(len(channel["ranks"]) for channel in result["dram"])

    def columns(core: int, rank: int) -> int:
        at = f"source_rank[{core}][{rank}]."
        kinds = (f"{kind}_{how}" for kind in ("read", "write") for how in ("hits", "misses", "conflicts"))
        return sum(counters.get(at + kind, 0) for kind in kinds)

    of_cores = [[columns(core, rank) for rank in range(ranks)] for core in range(cores)]
    return max((100 * (1 - max(of_ranks) / sum(of_ranks)) for of_ranks in of_cores if any(of_ranks)), default=0)


def time(result: dict) -> float:
    """Core cycles for each DRAM access."""
    return result["core_cycles"] / (result["reads"] + result["writes"])


@dataclass(frozen=True)
class Threads(Figure):
    title = "Programs of eight threads under Rank Assignment"
    source = "Rank Assignment, Table III; its other two programs are of CloudSuite"
    explanation = ""

    def settings(self) -> tuple[Setting, ...]:
        return (STAGGERED, ASSIGNED)

    def _threaded(self, programs: list[str]) -> list[str]:
        known = table.load()
        return [program for program in programs if known[program].threads]

    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        yield from super().wanted([workloads.threads(program) for program in self._threaded(programs)], starts)

    def _estimate(self, results: Results, program: str, quantity: str) -> estimate.Estimate:
        def run(setting: Setting, seed: int) -> dict:
            return results[Wanted(setting, workloads.threads(program), seed)]

        if quantity == ELSEWHERE:
            return estimate.of([elsewhere(run(ASSIGNED, seed)) for seed in seeds(results)])
        shares = [time(run(ASSIGNED, seed)) / time(run(STAGGERED, seed)) for seed in seeds(results)]
        return estimate.of([100 * (1 - share) for share in shares])

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [
            {"program": program, "quantity": quantity, **self._estimate(results, program, quantity).row()}
            for program in self._threaded(programs)
            for quantity in (ELSEWHERE, DECREASE)
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return [
            Compared(f"{quantity}, {program}", "%", paper, self._estimate(results, program, quantity))
            for program in self._threaded(programs)
            for quantity, paper in PAPER.get(program, {}).items()
        ]

    def draw(self, rows: list[dict], axes) -> None:
        programs = list(dict.fromkeys(row["program"] for row in rows))
        for number, quantity in enumerate((ELSEWHERE, DECREASE)):
            means = [row["mean"] for row in rows if row["quantity"] == quantity]
            axes.bar([place + 0.4 * number for place in range(len(programs))], means, 0.4, label=quantity)
        axes.set_ylabel("%")
        axes.set_xticks([place + 0.2 for place in range(len(programs))], programs)
        axes.legend()


FIGURE = Threads()
