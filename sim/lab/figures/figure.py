# SPDX-License-Identifier: Apache-2.0
"""What a figure of a paper is here: the runs that it needs, what is made of them, and what the paper has.

Each module of this folder with a FIGURE is one; its name in `make figures FIGURE=NAME` is the module's, with hyphens.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from dataclasses import dataclass

import estimate
from captured import programs as table

STARTS = 5
"""Of each program on each setting, where nothing else is asked for."""
AVERAGE = "average"
"""In place of a program: the mean over several."""


@dataclass(frozen=True)
class Setting:
    """What a program runs on, by the names of machines.yaml, policies.yaml and placements.yaml."""

    machine: str
    policy: str
    placement: str = "default"


@dataclass(frozen=True)
class Wanted:
    """A run, by the names of its setting, its program and its seed."""

    setting: Setting
    program: str
    seed: int

    @property
    def path(self) -> str:
        """Of its record below build/lab/runs."""
        setting = self.setting
        return f"{setting.machine}/{setting.policy}/{setting.placement}/{self.program}/{self.seed}.json"


Results = dict[Wanted, dict]
"""What the lab measured in each run (../README.md)."""


def accesses(result: dict) -> int:
    """Of DRAM, in the region."""
    return result["reads"] + result["writes"]


def of_programs(values: dict[str, list[float]]) -> dict[str, estimate.Estimate]:
    """Of {program: a value for each start}: the estimate of each, and behind them that of their average."""
    found = {program: estimate.of(of_program) for program, of_program in values.items()}
    return {**found, AVERAGE: estimate.of(estimate.over_programs(list(values.values())))}


def seeds(results: Results) -> list[int]:
    """Those of all settings and programs."""
    return sorted({wanted.seed for wanted in results})


@dataclass(frozen=True)
class Compared:
    """A number of the paper beside ours. `what` says which; both are of `unit`."""

    what: str
    unit: str
    paper: float
    measured: estimate.Estimate

    @property
    def deviation(self) -> float:
        return self.measured.mean - self.paper

    def row(self) -> dict:
        return {
            "what": self.what,
            "unit": self.unit,
            "paper": self.paper,
            **self.measured.row(),
            "deviation": round(self.deviation, 4),
        }


def of_starts(results: Results, setting: Setting, program: str) -> list[dict]:
    """A program's results on a setting, one of each start."""
    return [results[Wanted(setting, program, seed)] for seed in seeds(results)]


def seeds_of(starts: int) -> range:
    """Those of so many starts."""
    return range(1, starts + 1)


class Figure(abc.ABC):
    """`explanation` says why what is measured differs from the paper, and which experiment shows it."""

    title: str
    source: str
    explanation: str

    @abc.abstractmethod
    def settings(self) -> tuple[Setting, ...]:
        """All that its programs run on."""

    def programs(self, known: dict[str, table.Program]) -> list[str]:
        """Those of programs.yaml that it is of when none are asked for: as the paper's, which are memory bound all."""
        return [name for name, program in known.items() if program.memory_bound]

    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        """The runs that it needs."""
        for setting in dict.fromkeys(self.settings()):
            for program in programs:
                yield from (Wanted(setting, program, seed) for seed in seeds_of(starts))

    @abc.abstractmethod
    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        """What is drawn."""

    @abc.abstractmethod
    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        """What the paper says in numbers, and what comes of it here."""

    @abc.abstractmethod
    def draw(self, rows: list[dict], axes) -> None:
        """Onto axes of matplotlib."""
