# SPDX-License-Identifier: Apache-2.0
"""Figures that compare how long programs take under several settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import bars
import estimate
from figure import AVERAGE, Compared, Figure, Results, Setting, Wanted, accesses, of_programs, seeds


@dataclass(frozen=True)
class Saying:
    """A number of the paper: how much longer, in percent of `than`, `label` takes on average; less is negative."""

    label: str
    than: str
    percent: float


def time(result: dict) -> float:
    """Core cycles for each DRAM access: the paper's runs end after as many under each setting (section V.D)."""
    return result["core_cycles"] / accesses(result)


def time_of_instructions(result: dict) -> float:
    """Core cycles for each instruction of all cores. Pages that lie elsewhere have other sets of the last-level cache,
    so that the same instructions may have more or fewer DRAM accesses."""
    return result["core_cycles"] / sum(core["instructions"] for core in result["cores"])


@dataclass(frozen=True)
class ExecutionTime(Figure):
    """Bars of each program, a bar for each label of `bars`, as shares of the bar `reference`. What the paper says is
    compared with the time for as many DRAM accesses, as its own is, and between two placements of the pages with the
    time for as many instructions too."""

    title: str
    source: str
    bars: dict[str, Setting]
    reference: str
    sayings: tuple[Saying, ...]
    explanation: str = field(default="")

    def settings(self) -> tuple[Setting, ...]:
        return tuple(self.bars.values())

    def measure(self, result: dict) -> float:
        """The time that bars are of."""
        return time(result)

    def workload(self, program: str) -> str:
        """What runs of a program."""
        return program

    def _shares(
        self, results: Results, program: str, label: str, than: str, measure: Callable[[dict], float]
    ) -> list[float]:
        """For each start: the time under a label as a share of that under another one."""

        def taken(which: str, seed: int) -> float:
            return measure(results[Wanted(self.bars[which], self.workload(program), seed)])

        return [taken(label, seed) / taken(than, seed) for seed in seeds(results)]

    def _average(
        self,
        results: Results,
        programs: list[str],
        label: str,
        than: str,
        measure: Callable[[dict], float],
    ) -> list[float]:
        """For each start: the mean over the programs."""
        return estimate.over_programs([self._shares(results, program, label, than, measure) for program in programs])

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        of_label = {
            label: of_programs(
                {program: self._shares(results, program, label, self.reference, self.measure) for program in programs}
            )
            for label in self.bars
        }
        return [
            {"program": program, "setting": label, **of_label[label][program].row()}
            for program in (*programs, AVERAGE)
            for label in self.bars
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        found = []
        for saying in self.sayings:
            what = f"{saying.label} against {saying.than}, average of the programs"
            measures = {what: self.measure}
            if self.bars[saying.label].placement != self.bars[saying.than].placement:
                measures[f"{what}, for the same instructions"] = time_of_instructions
            for name, measure in measures.items():
                shares = self._average(results, programs, saying.label, saying.than, measure)
                percents = [100 * (share - 1) for share in shares]
                found.append(Compared(name, "% of the time", saying.percent, estimate.of(percents)))
        return found

    def draw(self, rows: list[dict], axes) -> None:
        bars.draw(rows, list(self.bars), axes)
        axes.axhline(1, color="black", lw=0.5)
        axes.set_ylabel(f"execution time, {self.reference} = 1")
