# SPDX-License-Identifier: Apache-2.0
"""Whom refreshes stall."""

from __future__ import annotations

from dataclasses import dataclass

import estimate
from execution_time import time
from figure import AVERAGE, Compared, Figure, Results, Setting, of_programs, of_starts

SETTINGS = {
    "staggered": Setting("paper", "staggered"),
    "rank assignment": Setting("paper", "staggered", "rank_assignment"),
}
WITHOUT_REFRESH = {label: Setting("paper", "no_refresh", setting.placement) for label, setting in SETTINGS.items()}


def total(counters: dict[str, int], name: str) -> int:
    """The sum of a counter over all that it is counted of."""
    return sum(count for path, count in counters.items() if path.endswith(f"].{name}"))


def stalling_share(result: dict, without: dict) -> float:
    """The share of the refreshes that stall a core, mean over the cores (docs/counters.md, What refreshes cost)."""
    counters = result["counters"]
    return total(counters, "stalled_by_refreshes") / total(counters, "refreshes") / len(result["cores"])


def weighted_stall(result: dict, without: dict) -> float:
    """How many cores a refresh stalls, each weighted by the part of the refresh for which it is stalled."""
    return total(result["counters"], "stalls_refresh") / total(result["counters"], "cycles_blocked")


def cores_lost(result: dict, without: dict) -> float:
    """How many cores stand still during a refresh, if all that the program takes longer than `without` refresh were
    cores that stand still while a rank is refreshed."""
    lost = len(result["cores"]) * (1 - time(without) / time(result))
    return lost * result["cycles"] / total(result["counters"], "cycles_blocked")


QUANTITIES = {
    "share of refreshes that stall a core": stalling_share,
    "weighted cores stalled": weighted_stall,
    "cores lost, by the time": cores_lost,
}
"""Of the result of a run, and of that of the same without refresh."""
LOST_IN_THE_PAPER = {
    "staggered": 8 * 0.27 / (4 * 640 / 3900),
    "rank assignment": 8 * (1 - 1 / 1.114) / (4 * 640 / 3900),
}
"""The paper has no such number: of its eight cores, by the share of the time that refresh takes (27 % of that under
staggered refresh, 11.4 % of that without refresh under Rank Assignment), four ranks, tRFC 640 ns, tREFI 3.9 us."""


@dataclass(frozen=True)
class Stalls(Figure):
    title = "Refreshes that stall a core, and for how long"
    source = "Rank Assignment, Figure 3 and section VI.A"
    explanation = (
        "The paper sees a core stall where nothing leaves its reorder buffer. Weir counts a core that has a read "
        "waiting at the rank, which for a core with several misses under way is more. What refresh costs in time is a "
        "measure that is the same for both, and by it nearly as many cores stand still here as in the paper, where it "
        "is twice what the paper counts as stalls."
    )

    def settings(self) -> tuple[Setting, ...]:
        return (*SETTINGS.values(), *WITHOUT_REFRESH.values())

    def _estimates(
        self, results: Results, programs: list[str], label: str, quantity: str, factor: float = 1
    ) -> dict[str, estimate.Estimate]:
        def values(program: str) -> list[float]:
            pairs = zip(
                of_starts(results, SETTINGS[label], program),
                of_starts(results, WITHOUT_REFRESH[label], program),
                strict=True,
            )
            return [factor * QUANTITIES[quantity](run, without) for run, without in pairs]

        return of_programs({program: values(program) for program in programs})

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [
            {"program": program, "setting": label, "quantity": quantity, **found.row()}
            for label in SETTINGS
            for quantity in QUANTITIES
            for program, found in self._estimates(results, programs, label, quantity).items()
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        def measured(label: str, quantity: str, factor: float = 1) -> estimate.Estimate:
            return self._estimates(results, programs, label, quantity, factor)[AVERAGE]

        share, cores, lost = QUANTITIES
        return [
            Compared("refreshes that stall a core, staggered", "%", 50, measured("staggered", share, 100)),
            Compared("weighted cores stalled, staggered", "cores", 1.63, measured("staggered", cores)),
            Compared("weighted cores stalled, rank assignment", "cores", 1.32, measured("rank assignment", cores)),
            *(
                Compared(f"{lost} that refresh takes, {label}", "cores", paper, measured(label, lost))
                for label, paper in LOST_IN_THE_PAPER.items()
            ),
        ]

    def draw(self, rows: list[dict], axes) -> None:
        programs = list(dict.fromkeys(row["program"] for row in rows))
        share, cores, _ = QUANTITIES
        second = axes.twinx()
        for number, label in enumerate(SETTINGS):
            places = [at + (number - 0.5) * 0.4 for at in range(len(programs))]
            drawn = {
                quantity: [row["mean"] for row in rows if (row["setting"], row["quantity"]) == (label, quantity)]
                for quantity in (share, cores)
            }
            axes.bar(places, drawn[share], 0.38, label=f"{share}, {label}", color=f"C{number}", alpha=0.6)
            second.plot(places, drawn[cores], "ov"[number], label=f"{cores}, {label}", color=f"C{number}")
        axes.set_xticks(range(len(programs)), programs, rotation=45, ha="right")
        axes.set_ylabel(share)
        second.set_ylabel(cores)
        axes.legend(loc="upper left", fontsize="small")
        second.legend(loc="upper right", fontsize="small")


FIGURE = Stalls()
