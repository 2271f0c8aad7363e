# SPDX-License-Identifier: Apache-2.0
"""What the rows of the experiments show: each figure beside what was to be shown, and what the harts waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from experiments import STALLS
from scripts import SCALE


@dataclass(frozen=True)
class Finding:
    """A figure that an experiment was made for.

    Attributes
    ----------
    experiment : of which rows it comes
    what : what is compared with what
    value : a ratio
    least, most : bounds that were to be met, if there are
    paper : the same ratio as the experiment's paper has it, if it does
    counted : what is compared, of measurements in which it was counted what hart 0 waited for; None without them
    """

    experiment: str
    what: str
    value: float
    least: float | None = None
    most: float | None = None
    paper: float | None = None
    counted: tuple[dict, dict] | None = None

    @property
    def met(self) -> bool | None:
        """Whether the bounds hold; None where there are none."""
        if self.least is None and self.most is None:
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    @property
    def as_in_paper(self) -> bool | None:
        """Whether the figure is the paper's, within a twentieth of it; None where that has none."""
        return None if self.paper is None else abs(self.value / self.paper - 1) <= 0.05

    @property
    def aim(self) -> str:
        """The bounds in words."""
        bounds = ((self.least, "at least"), (self.most, "at most"))
        return ", ".join(f"{words} {bound:.3g}" for bound, words in bounds if bound is not None)


class Rows:
    """Rows of allocators.json, found by what is in them."""

    def __init__(self, rows: Iterable[dict]) -> None:
        self._rows = list(rows)

    def all(self, **fields: object) -> list[dict]:
        return [row for row in self._rows if all(row.get(name) == value for name, value in fields.items())]

    def pair(self, row: dict, other: dict) -> tuple[dict, dict] | None:
        """The one row that has the fields of `row` and the one that has those of `other`; None if one of them was not
        measured."""
        found, base = self.all(**row), self.all(**other)
        return (found[0], base[0]) if found and base else None


def run_time(row: dict) -> int:
    """Cycles of a workload, without the kernel's timer where that is known: on a machine whose memory is 16 times as
    slow it comes 4 times as often as at 100 Hz on one that is as much faster."""
    return row.get("undisturbed", row["cycles"])


def stalls_counted(pair: tuple[dict, dict] | None) -> tuple[dict, dict] | None:
    """The pair, if it was counted in both what hart 0 waited for."""
    return pair if pair and all("line_reads" in row for row in pair) else None


def ratio(pair: tuple[dict, dict], figure: Callable[[dict], float] = run_time) -> float:
    """`figure` of the first row over that of the second."""
    return figure(pair[0]) / figure(pair[1])


def compared(
    rows: Rows, row: dict, other: dict, what: str, figure: Callable[[dict], float] = run_time, **asked: float | None
) -> Iterator[Finding]:
    """`figure` of the one row over that of the other, in the first one's experiment, if both were measured. `asked` are
    the bounds and the paper's figure."""
    if pair := rows.pair(row, other):
        yield Finding(row["experiment"], what, ratio(pair, figure), counted=stalls_counted(pair), **asked)


def slowdowns(rows: Rows) -> Iterator[Finding]:
    """PALLOC: the pointer chase beside neighbours over the same alone, in its paper's sense of a slowdown."""

    def measured(placement: str, neighbours: int, counted: str | None = None) -> tuple[dict, dict] | None:
        here = {"experiment": "palloc", "placement": placement, "counted": counted}
        return rows.pair({**here, "neighbours": neighbours}, {**here, "neighbours": 0})

    def slowdown(placement: str, neighbours: int) -> float | None:
        pair = measured(placement, neighbours)
        return ratio(pair) if pair else None

    # The paper has numbers for one of them, "zero interference"; the others it plots.
    asked = {
        "same bank": (1.8, None, None),
        "private banks": (None, 1.1, 1.0),
        "buddy": (slowdown("private banks", 3), slowdown("same bank", 3), None),
    }
    for placement, of_three in asked.items():
        for neighbours in (1, 2, 3):
            value = slowdown(placement, neighbours)
            if value is not None:
                what = f"chase, {placement}, {neighbours} neighbours over none"
                bounds = of_three if neighbours == 3 else (None, None, None)
                counted = stalls_counted(measured(placement, neighbours, counted="yes"))
                yield Finding("palloc", what, value, *bounds, counted)


def shares_of_peak(rows: Rows) -> Iterator[Finding]:
    """Lines that were read over those that the bus could have moved: one in each (scaled) controller cycle."""
    for row in rows.all(experiment="bank bandwidth"):
        share = row["operations"] * SCALE / run_time(row)
        asked = (0.05, 0.15, 0.1) if row["placement"] == "one bank" and row["harts"] == 4 else (None, None, None)
        yield Finding("bank bandwidth", f"{row['placement']}, {row['harts']} harts, share of peak", share, *asked)


def run_times(rows: Rows) -> Iterator[Finding]:
    """Rank Assignment: run time with a rank for each program over that with pages in all ranks. The paper's: Figure 7
    (18.6 % less), Figure 2 (simultaneous refresh 12.6 % less), Figure 8 (with half of the pages elsewhere 9.4 % less)
    and section VI.D (13.3 % less, with water marks of each rank)."""
    own, spread = {"placement": "own rank"}, {"placement": "all ranks"}
    refresh = {"experiment": "refresh"}
    for policy in dict.fromkeys(row["refresh"] for row in rows.all(**refresh)):
        bound = {"most": 0.85, "paper": 0.814} if policy == "staggered" else {}
        here = {**refresh, "refresh": policy}
        yield from compared(
            rows, {**here, **own}, {**here, **spread}, f"run time, own rank over all ranks, {policy}", **bound
        )
    base = {**refresh, **spread, "refresh": "staggered"}
    for row in rows.all(**refresh):
        placement, policy = row["placement"], row["refresh"]
        if policy != "staggered":
            paper = 0.874 if (placement, policy) == ("all ranks", "simultaneous") else None
            what = f"run time, {placement} {policy} over all ranks staggered"
            here = {**refresh, "placement": placement, "refresh": policy}
            yield from compared(rows, here, base, what, paper=paper)
    for row in rows.all(experiment="mapping error"):
        here = {"experiment": "mapping error", "error": row["error"]}
        paper = 0.906 if row["error"] == 50 else None
        yield from compared(rows, here, base, f"run time, {row['error']} % elsewhere, over all ranks", paper=paper)
    by_rank, by_channel = ({"experiment": f"write drains by {marks}"} for marks in ("rank", "channel"))
    for drains, paper in ((by_rank, 0.867), (by_channel, None)):
        what = "run time, own rank over all ranks"
        yield from compared(rows, {**drains, **own}, {**drains, **spread}, what, most=0.9, paper=paper)
    what = "run time, own rank over all ranks drained by rank"
    yield from compared(rows, {**by_channel, **own}, {**by_rank, **spread}, what)


def energies(rows: Rows) -> Iterator[Finding]:
    """ViPZonE: energy of all accesses and run time over those without it. The paper's are the best of its programs
    (27.80 % less) and the worst (4.80 % more)."""
    power = {"experiment": "power"}
    for program, harts in dict.fromkeys((row["program"], row["harts"]) for row in rows.all(**power)):
        here = {**power, "program": program, "harts": harts}
        first, spread = {**here, "placement": "low power first"}, {**here, "placement": "all ranks"}
        for figure, words, most, paper in (
            (itemgetter("energy_nj"), "energy", 0.8, 0.722),
            (run_time, "run time", 1.05, 1.048),
        ):
            what = f"{words} of {program}, {harts} harts, low power first over all ranks"
            yield from compared(rows, first, spread, what, figure, most=most, paper=paper)


def findings(rows: Iterable[dict]) -> list[Finding]:
    """All that the rows show."""
    found = Rows(rows)
    return [each for of in (slowdowns, shares_of_peak, run_times, energies) for each in of(found)]


def waits(row: dict) -> dict[str, float]:
    """For what hart 0 waited in a measurement: cause of a stall -> its controller cycles for each line that it read."""
    return {cause: row[f"stalls_{cause}"] / row["line_reads"] if row["line_reads"] else 0.0 for cause in STALLS}
