# SPDX-License-Identifier: Apache-2.0
"""How much power the memory takes at most: where all ranks refresh at once, and where one does."""

from __future__ import annotations

from dataclasses import dataclass

import estimate
from figure import AVERAGE, Compared, Figure, Results, Setting, of_programs, of_starts

SETTING = Setting("paper", "staggered")

# The paper's chips, DDR3-1600, 4 Gb, x4, in ranks of 72 bits: currents in A and times in clocks of Micron's datasheet,
# as DRAMsim3 has them (configs/DDR3_4Gb_x4_1600.ini), at the 1.5 V of the paper.
CHIPS, VOLTS = 18, 1.5
IDD0, IDD2N, IDD3N, IDD4R, IDD4W, IDD5B = 0.055, 0.032, 0.038, 0.147, 0.118, 0.235
TRAS, TRP, BURST = 28, 11, 4
RANKS = 8
"""Of the paper's system: four channels of two."""

REFRESHING = CHIPS * VOLTS * IDD5B
"""W that a rank takes while it refreshes."""
BUSY, MORE = "power of a rank that does not refresh", "power more at most if all refresh at once"
BANDWIDTH = "bandwidth of a rank, of that of its channel"
UNITS = {BUSY: "W", MORE: "W", BANDWIDTH: "%"}


def busy(result: dict) -> float:
    """W that a rank takes on average while it does not refresh, from the commands that the DRAM model counted
    (docs/counters.md), with the charge of each in A times clocks."""
    charge = clocks = 0
    for rank in (rank for channel in result["dram"] for rank in channel["ranks"]):
        active, precharged = rank["clocks_active_standby"], rank["clocks_precharged_standby"]
        charge += rank["activates"] * (IDD0 * (TRAS + TRP) - IDD3N * TRAS - IDD2N * TRP)
        charge += rank["reads"] * (IDD4R - IDD3N) * BURST + rank["writes"] * (IDD4W - IDD3N) * BURST
        charge += active * IDD3N + precharged * IDD2N
        clocks += active + precharged
    return CHIPS * VOLTS * charge / clocks


def more(result: dict) -> float:
    """W by which all ranks that refresh take more than one that does beside others that are busy."""
    return (RANKS - 1) * (REFRESHING - busy(result))


def bandwidth(result: dict) -> float:
    """Percent of the clocks of a channel in which a rank has the data bus, mean over the ranks."""
    ranks = [rank for channel in result["dram"] for rank in channel["ranks"]]
    clocks = sum(count for rank in ranks for name, count in rank.items() if name.startswith("clocks_"))
    return 100 * BURST * sum(rank["reads"] + rank["writes"] for rank in ranks) / clocks


QUANTITIES = {BUSY: busy, MORE: more, BANDWIDTH: bandwidth}
PAPER = {BUSY: 3.83, MORE: 17.6, BANDWIDTH: 30}


@dataclass(frozen=True)
class PeakPower(Figure):
    title = "Power of a rank, and how much more the memory takes at most when all ranks refresh at once"
    source = (
        "Rank Assignment, section III.A: a rank with 30 % of its channel's bandwidth, and one that refreshes, 6.34 W"
    )
    explanation = (
        "A rank has less of the bandwidth here than the paper took it to have. And the commands alone are counted: "
        "Micron's calculator, which the paper asked, has the power of drivers and terminations too."
    )

    def settings(self) -> tuple[Setting, ...]:
        return (SETTING,)

    def _estimates(self, results: Results, programs: list[str], quantity: str) -> dict[str, estimate.Estimate]:
        def values(program: str) -> list[float]:
            return [QUANTITIES[quantity](run) for run in of_starts(results, SETTING, program)]

        return of_programs({program: values(program) for program in programs})

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        return [
            {"program": program, "quantity": quantity, **found.row()}
            for quantity in QUANTITIES
            for program, found in self._estimates(results, programs, quantity).items()
        ]

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return [
            Compared(quantity, UNITS[quantity], PAPER[quantity], self._estimates(results, programs, quantity)[AVERAGE])
            for quantity in QUANTITIES
        ]

    def draw(self, rows: list[dict], axes) -> None:
        drawn = [row for row in rows if row["quantity"] == BUSY]
        axes.bar([row["program"] for row in drawn], [row["mean"] for row in drawn], 0.6, label="not refreshing")
        axes.axhline(REFRESHING, color="C3", label="refreshing")
        axes.axhline(PAPER[BUSY], color="black", lw=0.7, ls="--", label="the paper's, 30 % of the bandwidth")
        axes.set_ylabel("W of a rank")
        axes.tick_params(axis="x", rotation=45)
        axes.legend(fontsize="small")


FIGURE = PeakPower()
