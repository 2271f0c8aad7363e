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
    """

    experiment: str
    what: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the bounds hold; None where there are none."""
        if self.least is None and self.most is None:
            return None
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

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

    def ratio(self, figure: Callable[[dict], float], row: dict, other: dict) -> float | None:
        """`figure` of the one row that has the fields of `row` over that of the one that has those of `other`; None if
        one of them was not measured."""
        found, base = self.all(**row), self.all(**other)
        return figure(found[0]) / figure(base[0]) if found and base else None


def run_time(row: dict) -> int:
    """Cycles of a workload, without the kernel's timer where that is known: on a machine whose memory is 16 times as
    slow it comes 4 times as often as at 100 Hz on one that is as much faster."""
    return row.get("undisturbed", row["cycles"])


def slowdowns(rows: Rows) -> Iterator[Finding]:
    """PALLOC: the pointer chase beside neighbours over the same alone, in its paper's sense of a slowdown."""

    def slowdown(placement: str, neighbours: int) -> float | None:
        here = {"experiment": "palloc", "placement": placement, "counted": None}
        return rows.ratio(run_time, {**here, "neighbours": neighbours}, {**here, "neighbours": 0})

    bounds = {
        "same bank": (1.8, None),
        "private banks": (None, 1.1),
        "buddy": (slowdown("private banks", 3), slowdown("same bank", 3)),
    }
    for placement, (least, most) in bounds.items():
        for neighbours in (1, 2, 3):
            value = slowdown(placement, neighbours)
            if value is not None:
                asked = (least, most) if neighbours == 3 else (None, None)
                yield Finding("palloc", f"chase, {placement}, {neighbours} neighbours over none", value, *asked)


def shares_of_peak(rows: Rows) -> Iterator[Finding]:
    """Lines that were read over those that the bus could have moved: one in each (scaled) controller cycle."""
    for row in rows.all(experiment="bank bandwidth"):
        share = row["operations"] * SCALE / run_time(row)
        asked = (0.05, 0.15) if row["placement"] == "one bank" and row["harts"] == 4 else (None, None)
        yield Finding("bank bandwidth", f"{row['placement']}, {row['harts']} harts, share of peak", share, *asked)


def run_times(rows: Rows) -> Iterator[Finding]:
    """Rank Assignment: run time with a rank for each program over that with pages in all ranks."""
    own, spread = {"placement": "own rank"}, {"placement": "all ranks"}
    refresh = {"experiment": "refresh"}
    for policy in dict.fromkeys(row["refresh"] for row in rows.all(**refresh)):
        value = rows.ratio(run_time, {**refresh, **own, "refresh": policy}, {**refresh, **spread, "refresh": policy})
        if value is not None:
            most = 0.85 if policy == "staggered" else None
            yield Finding("refresh", f"run time, own rank over all ranks, {policy}", value, most=most)
    base = {**refresh, **spread, "refresh": "staggered"}
    for row in rows.all(**refresh):
        value = rows.ratio(run_time, {**refresh, "placement": row["placement"], "refresh": row["refresh"]}, base)
        what = f"run time, {row['placement']} {row['refresh']} over all ranks staggered"
        if value is not None and row["refresh"] != "staggered":
            yield Finding("refresh", what, value)
    for row in rows.all(experiment="mapping error"):
        value = rows.ratio(run_time, {"experiment": "mapping error", "error": row["error"]}, base)
        if value is not None:
            yield Finding("mapping error", f"run time, {row['error']} % elsewhere, over all ranks", value)
    by_rank = "write drains by rank"
    for drains in (by_rank, "write drains by channel"):
        value = rows.ratio(run_time, {"experiment": drains, **own}, {"experiment": drains, **spread})
        if value is not None:
            yield Finding(drains, "run time, own rank over all ranks", value, most=0.9)
        value = rows.ratio(run_time, {"experiment": drains, **own}, {"experiment": by_rank, **spread})
        if value is not None and drains != by_rank:
            yield Finding(drains, "run time, own rank over all ranks drained by rank", value)


def energies(rows: Rows) -> Iterator[Finding]:
    """ViPZonE: energy of all accesses and run time over those without it."""
    power = {"experiment": "power"}
    for program, harts in dict.fromkeys((row["program"], row["harts"]) for row in rows.all(**power)):
        first = {**power, "placement": "low power first", "program": program, "harts": harts}
        spread = {**power, "placement": "all ranks", "program": program, "harts": harts}
        for figure, words, most in ((itemgetter("energy_nj"), "energy", 0.8), (run_time, "run time", 1.05)):
            value = rows.ratio(figure, first, spread)
            if value is not None:
                what = f"{words} of {program}, {harts} harts, low power first over all ranks"
                yield Finding("power", what, value, most=most)


def findings(rows: Iterable[dict]) -> list[Finding]:
    """All that the rows show."""
    found = Rows(rows)
    return [each for of in (slowdowns, shares_of_peak, run_times, energies) for each in of(found)]


def waits(row: dict) -> dict[str, float]:
    """For what hart 0 waited in a measurement: cause of a stall -> its controller cycles for each line that it read."""
    return {cause: row[f"stalls_{cause}"] / row["line_reads"] if row["line_reads"] else 0.0 for cause in STALLS}
