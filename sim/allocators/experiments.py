# SPDX-License-Identifier: Apache-2.0
"""The experiments: which script runs in the guest, with which variables, and what is taken from what it prints."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import scripts

TWO_RANKS, FOUR_RANKS = "weir-4", "weir-4-4rank"
"""SoCs with four harts, by the ranks of their memory."""

# Table II of "Rank Assignment", in clocks of 1.25 ns: chips of 32 Gb above 85 degrees (tRFC 640 ns, tREFI 3.9 us), and
# phase-change memory, with the paper's water marks of each rank.
HOT_32_GB = "trfc=512 trefi=3120"
PHASE_CHANGE = "tras=45 trc=55 twr=100"
WATER_MARKS = "low_water_mark=5 high_water_mark=10 drain_start=high_mark"

# The paper knows no limit of a write's age, so it is the longest that there is: with the 100 cycles of the reset a line
# waits about twice as long for drains. Figure 4 has marks of 40 and 20, here half of them for the channel, as its queue
# holds 32 writes.
DRAINS = {
    "by rank": f"{WATER_MARKS} age_limit=4095",
    "by channel": "high_water_mark=20 low_water_mark=10 drain_marks=shared drain_start=high_mark age_limit=4095",
}

# What a read waits for that no bank of its own keeps away: writes that drain because nobody reads just then, and writes
# that have waited for the age limit, of 100 cycles after reset.
READS_AHEAD = "drain_reads=ahead age_limit=400"

STALLS = ("refresh", "write_drain", "queue_full", "bank", "turnaround", "bus")
"""Causes of stalls (docs/counters.md)."""

COMMANDS = ("reads", "writes")
WAITS = ("read_hits", "read_misses", "read_conflicts", "read_delay", *(f"stalls_{cause}" for cause in STALLS))
EVENTS = (*COMMANDS, *WAITS)
"""What weirstat counts: commands of each rank, of which comes the energy, and what hart 0 waits for."""

COUNTED = {"EVENTS": ",".join(EVENTS)}
"""Variable of the scripts that count."""


@dataclass(frozen=True)
class Run:
    """A run of a SoC from its snapshot.

    Attributes
    ----------
    experiment : its name in the results
    placement : how pages are placed
    soc : on which it runs
    script : file that the guest runs in the shell that has run the prelude
    variables : of the script
    brief : those that are others in a brief measurement; without, the run is no part of one
    """

    experiment: str
    placement: str
    soc: str
    script: str
    variables: dict[str, str]
    brief: dict[str, str] | None = None

    @property
    def name(self) -> str:
        """By which it is chosen, and its folder called."""
        return f"{self.experiment}-{self.placement}".replace(" ", "-")

    def text(self) -> str:
        """What the guest goes on with behind the prelude."""
        return "\n".join(
            [*(f"{name}='{value}'" for name, value in self.variables.items()), *scripts.lines(self.script), ""]
        )


def _palloc(placement: str, *banks: str) -> Run:
    of_harts = {f"BANKS_{hart}": of_hart for hart, of_hart in enumerate(banks)}
    usual = {"ITERATIONS": "1", "NEIGHBOURS": "1 2 3", "COUNTED": "yes", **COUNTED, "POLICIES": READS_AHEAD}
    variables = {**usual, **of_harts}
    return Run("palloc", placement, FOUR_RANKS, "palloc.sh", variables, brief={"NEIGHBOURS": "3", "COUNTED": ""})


def _bandwidth(placement: str, banks: str) -> Run:
    # The start of four threads takes as long as four thousand loads.
    variables = {"ITERATIONS": "4", "HARTS": "1 2 4", "BANKS": banks}
    return Run("bank bandwidth", placement, FOUR_RANKS, "bank_bandwidth.sh", variables)


def _ranks(experiment: str, ranks: str, **variables: str) -> Run:
    placement = {"all": "all ranks", "own": "own rank"}[ranks]
    usual = {
        "ITERATIONS": "1",
        "RANKS": ranks,
        "ERRORS": "0",
        "REFRESHES": "staggered",
        "COUNTED": "staggered",
        **COUNTED,
        "WORKLOAD": "chase --size 262144",
        "TIMINGS": HOT_32_GB,
        "POLICIES": WATER_MARKS,
    }
    return Run(experiment, placement, FOUR_RANKS, "rank_assignment.sh", {**usual, **variables})


def _refresh(ranks: str) -> Run:
    policies = {"REFRESHES": "staggered simultaneous defer_until_empty elastic", "COUNTED": "staggered simultaneous"}
    run = _ranks("refresh", ranks, **policies)
    return replace(run, brief={"REFRESHES": "staggered", "COUNTED": ""})


def _write_drains(marks: str, ranks: str) -> Run:
    variables = {"TIMINGS": PHASE_CHANGE, "POLICIES": DRAINS[marks], "WORKLOAD": "gups --size 524288"}
    return _ranks(f"write drains {marks}", ranks, **variables)


def _power(placement: str, enabled: bool) -> Run:
    # A spread of 50 %, as the share of the largest: the first rank draws half of what the second does.
    powers = {"READ_POWER": "300 600", "WRITE_POWER": "320 640"}
    variables = {
        **powers,
        **COUNTED,
        "PROGRAMS": "gups chase",
        "HARTS": "1 4",
        "ITERATIONS": "4",
        "ENABLED": str(int(enabled)),
        "POLICIES": READS_AHEAD,
    }
    return Run("power", placement, TWO_RANKS, "vipzone.sh", variables)


VARIED = ("neighbours", "counted", "harts", "refresh", "error", "program")
"""What a run varies, as its rows have it."""

RUNS = [
    _palloc("same bank", "0", "0", "0", "0"),
    _palloc("private banks", "0-3", "4-7", "8-11", "12-15"),
    replace(_palloc("buddy", "", "", "", ""), brief=None),
    _bandwidth("one bank", "0"),
    _bandwidth("all banks", ""),
    _refresh("own"),  # longer than the other, which so ends last
    _refresh("all"),
    _ranks("mapping error", "own", ERRORS="10 25 50"),
    _write_drains("by rank", "all"),
    _write_drains("by rank", "own"),
    _write_drains("by channel", "all"),
    _write_drains("by channel", "own"),
    _power("all ranks", False),
    _power("low power first", True),
]


def brief(runs: list[Run]) -> list[Run]:
    """What of them a brief measurement does."""
    return [replace(run, variables={**run.variables, **run.brief}) for run in runs if run.brief is not None]


def measurement(row: dict) -> tuple:
    """What tells a row from those of other measurements."""
    return tuple(row.get(key) for key in ("experiment", "placement", *VARIED))


class Unexpected(Exception):
    """The guest has printed something else than the measurements; the message says what is wrong."""


def counted(block: str) -> dict[str, int | float | list[int]]:
    """What weirstat printed of a measurement, if it did.

    Keys: over all ranks, for hart 0, `line_reads`, `read_delay` (controller cycles in the queue, of all of them) and
    `stalls_CAUSE` (controller cycles); `rank_reads` and `rank_writes` (commands of all harts, of each rank); and
    `energy_nj` where the ranks' power is known. Raises Unexpected if an event is missing.
    """
    fields = re.findall(r"^(\w+),\d*,(\d*),(\d+(?:\.\d{3})?)$", block, re.MULTILINE)
    if not fields:
        return {}
    sums: dict[str, int] = {}
    ranks: dict[str, dict[int, int]] = {event: {} for event in COMMANDS}
    picojoules = None
    for event, rank, count in fields:
        if event == "energy_nj":
            picojoules = (picojoules or 0) + int(count.replace(".", ""))
        else:
            sums[event] = sums.get(event, 0) + int(count)
            if event in ranks:
                ranks[event][int(rank)] = int(count)
    if missing := [event for event in EVENTS if event not in sums]:
        raise Unexpected(f"weirstat did not count {', '.join(missing)}")
    return {
        "line_reads": sum(sums[f"read_{outcome}"] for outcome in ("hits", "misses", "conflicts")),
        "read_delay": sums["read_delay"],
        **{f"stalls_{cause}": sums[f"stalls_{cause}"] for cause in STALLS},
        **{f"rank_{event}": [count for _, count in sorted(of.items())] for event, of in ranks.items()},
        **({"energy_nj": picojoules / 1000} if picojoules is not None else {}),
    }


def measurements(console: str) -> list[dict]:
    """What the script printed: for each line `measured: key=value...` that, what the workload did, and what was
    counted. Values with commas between are those of several measurements of one workload, a line of it for each; what
    is counted is then not told of any of them. Raises Unexpected.
    """
    found = []
    for block in re.split(r"^measured: ", console, flags=re.MULTILINE)[1:]:
        what = block.splitlines()[0]
        several = {key: values.split(",") for key, values in re.findall(r"(\w+)=([\w,]+)", what)}
        lines = re.findall(r"^workload=.*", block, re.MULTILINE)
        expected = max(map(len, several.values()))
        if len(lines) != expected:
            raise Unexpected(f"{len(lines)} results of the workload with {what}, not {expected}")
        for index, line in enumerate(lines):
            values = {key: each[index] if len(each) > 1 else each[0] for key, each in several.items()}
            keys = {key: int(value) if value.isdigit() else value for key, value in values.items()}
            figures = dict(word.split("=") for word in line.split())
            if figures["result"] != "right":
                raise Unexpected(f"the workload with {what} read wrong data")
            done = {name: int(figures[name]) for name in ("operations", "cycles", "undisturbed") if name in figures}
            found.append({**keys, **done, **(counted(block) if expected == 1 else {})})
    if not found:
        raise Unexpected("no measurement")
    return found


def rows(run: Run, console: str) -> list[dict]:
    """The rows of a run: its measurements, and where they belong."""
    where = {"experiment": run.experiment, "placement": run.placement}
    return [{**where, **each} for each in measurements(console)]
