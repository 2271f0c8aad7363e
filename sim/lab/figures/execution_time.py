# SPDX-License-Identifier: Apache-2.0
"""Figures that compare how long programs take under several settings."""

from __future__ import annotations

from dataclasses import dataclass, field

import estimate
from figure import AVERAGE, Compared, Figure, Results, Setting, Wanted, seeds


@dataclass(frozen=True)
class Saying:
    """A number of the paper: how much longer, in percent of `than`, `label` takes on average; less is negative."""

    label: str
    than: str
    percent: float


@dataclass(frozen=True)
class ExecutionTime(Figure):
    """Bars of each program, a bar for each label of `bars`, as shares of the bar `reference`. The time of a run is its
    core cycles for each DRAM access: the paper's runs end after as many of these under each setting (section V.D)."""

    title: str
    source: str
    bars: dict[str, Setting]
    reference: str
    sayings: tuple[Saying, ...]
    explanation: str = field(default="")

    def settings(self) -> tuple[Setting, ...]:
        return tuple(self.bars.values())

    def _shares(self, results: Results, program: str, label: str, than: str) -> list[float]:
        """For each start: the time under a label as a share of that under another one."""

        def time(which: str, seed: int) -> float:
            result = results[Wanted(self.bars[which], program, seed)]
            return result["core_cycles"] / (result["reads"] + result["writes"])

        return [time(label, seed) / time(than, seed) for seed in seeds(results)]

    def _average(self, results: Results, programs: list[str], label: str, than: str) -> list[float]:
        """For each start: the mean over the programs."""
        of_programs = [self._shares(results, program, label, than) for program in programs]
        return estimate.over_programs(of_programs)

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        found = []
        for program in (*programs, AVERAGE):
            for label in self.bars:
                if program == AVERAGE:
                    shares = self._average(results, programs, label, self.reference)
                else:
                    shares = self._shares(results, program, label, self.reference)
                found.append({"program": program, "setting": label, **estimate.of(shares).row()})
        return found

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        found = []
        for saying in self.sayings:
            shares = self._average(results, programs, saying.label, saying.than)
            percents = [100 * (share - 1) for share in shares]
            what = f"{saying.label} against {saying.than}, average of the programs"
            found.append(Compared(what, "% of the time", saying.percent, estimate.of(percents)))
        return found

    def draw(self, rows: list[dict], axes) -> None:
        programs = list(dict.fromkeys(row["program"] for row in rows))
        width = 0.8 / len(self.bars)
        for number, label in enumerate(self.bars):
            of_label = [row for row in rows if row["setting"] == label]
            places = [at + (number - (len(self.bars) - 1) / 2) * width for at in range(len(programs))]
            spread = [
                [row["mean"] - row["low"] if row["low"] is not None else 0 for row in of_label],
                [row["high"] - row["mean"] if row["high"] is not None else 0 for row in of_label],
            ]
            axes.bar(places, [row["mean"] for row in of_label], width, yerr=spread, label=label, error_kw={"lw": 0.7})
        axes.set_xticks(range(len(programs)), programs, rotation=45, ha="right")
        axes.set_ylabel(f"execution time, {self.reference} = 1")
        axes.axhline(1, color="black", lw=0.5)
        axes.legend(fontsize="small", ncols=2)
