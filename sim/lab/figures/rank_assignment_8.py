# SPDX-License-Identifier: Apache-2.0
"""Pages that lie elsewhere than in the preferred rank."""

from dataclasses import dataclass

from execution_time import ExecutionTime, Saying
from figure import AVERAGE, Setting

ERRORS = (10, 20, 30, 40, 50)
PLACEMENTS = {0: "rank_assignment", **{error: f"rank_assignment_{error}" for error in ERRORS}}
MACHINES = {"4 MB": "paper", "8 MB": "paper_8mb"}


def label(machine: str, error: int) -> str:
    return f"{error} % elsewhere, {machine}"


@dataclass(frozen=True)
class Errors(ExecutionTime):
    def draw(self, rows: list[dict], axes) -> None:
        averages = {row["setting"]: row["mean"] for row in rows if row["program"] == AVERAGE}
        for machine in MACHINES:
            than = averages[f"staggered, {machine}"]
            gains = [100 * (1 - averages[label(machine, error)] / than) for error in PLACEMENTS]
            axes.plot(list(PLACEMENTS), gains, "o-", label=f"{machine} of cache")
        axes.set_xlabel("% of pages in another rank than the preferred one")
        axes.set_ylabel("% of the time saved against staggered refresh")
        axes.axhline(0, color="black", lw=0.5)
        axes.legend()


def bars() -> dict[str, Setting]:
    found = {}
    for machine, name in MACHINES.items():
        found[f"staggered, {machine}"] = Setting(name, "staggered")
        for error, placement in PLACEMENTS.items():
            found[label(machine, error)] = Setting(name, "staggered", placement)
    return found


FIGURE = Errors(
    title="Rank Assignment with pages in other ranks",
    source="Rank Assignment, Figure 8 and section VI.C",
    bars=bars(),
    reference="staggered, 4 MB",
    explanation=(
        "A few reads are enough to make a core wait for a refresh, in which it makes many: a rank with 3 % of a core's "
        "reads stalls it in 17 % of its refreshes, one with 10 % in 37, one with 17 % in 48 "
        "(experiments/refresh_stalls.py). With half of the pages elsewhere a core is stalled by nearly all refreshes "
        "of its own rank and by half of those of the other three, 60 % of all; without Rank Assignment it is 56."
    ),
    sayings=(Saying(label("4 MB", 0), "staggered, 4 MB", -18.6), Saying(label("4 MB", 50), "staggered, 4 MB", -9.4)),
)
