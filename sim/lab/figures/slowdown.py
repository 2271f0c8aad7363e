# SPDX-License-Identifier: Apache-2.0
"""Figures of how much slower a program gets beside hostile ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import bars
import estimate
from captured import workloads
from figure import AVERAGE, Compared, Figure, Results, Setting, Wanted, of_programs, seeds, seeds_of


@dataclass(frozen=True)
class Slowdown(Figure):
    """Bars of each program, a bar for each label: instructions per cycle alone, on `alone` or, without it, on the
    setting itself, by those beside three hostile programs on the label's setting. `sayings` {label: what the source
    has}."""

    title: str
    source: str
    bars: dict[str, Setting]
    alone: Setting | None
    sayings: dict[str, float]
    explanation: str = field(default="")

    def settings(self) -> tuple[Setting, ...]:
        return (*self.bars.values(), *([self.alone] if self.alone else []))

    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        alone = [self.alone] if self.alone else list(self.bars.values())
        for name, settings in ((workloads.alone, alone), (workloads.beside, list(self.bars.values()))):
            for setting in dict.fromkeys(settings):
                for program in programs:
                    yield from (Wanted(setting, name(program), seed) for seed in seeds_of(starts))

    def speed(self, core: dict) -> float:
        """Of a core, as it was measured."""
        return core["ipc"]

    def _slowdowns(self, results: Results, program: str, label: str) -> list[float]:
        """For each start."""

        def speed(setting: Setting, workload: str, seed: int) -> float:
            return self.speed(results[Wanted(setting, workload, seed)]["cores"][0])

        setting = self.bars[label]
        return [
            speed(self.alone or setting, workloads.alone(program), seed)
            / speed(setting, workloads.beside(program), seed)
            for seed in seeds(results)
        ]

    def _estimates(self, results: Results, programs: list[str], label: str) -> dict[str, estimate.Estimate]:
        return of_programs({program: self._slowdowns(results, program, label) for program in programs})

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [
            {"program": program, "setting": label, **found.row()}
            for label in self.bars
            for program, found in self._estimates(results, programs, label).items()
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return [
            Compared(
                f"{label}, average of the programs", "times", times, self._estimates(results, programs, label)[AVERAGE]
            )
            for label, times in self.sayings.items()
        ]

    def draw(self, rows: list[dict], axes) -> None:
        bars.draw(rows, list(self.bars), axes)
        axes.axhline(1, color="black", lw=0.5)
        axes.set_ylabel("times slower than alone")
