# SPDX-License-Identifier: Apache-2.0
"""The experiments: which script runs in the guest, with which variables, and what is made of what it prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

SCALE = 16
"""The simulated harts run at 200 MHz, a quarter of the DRAM's clock; so the memory looks as to a core of 3.2 GHz."""


def slowdowns(found: list[dict]) -> list[dict]:
    """Measurements with the time of each over that of the first."""
    return [{**each, "slowdown": each["cycles"] / found[0]["cycles"]} for each in found]


def shares_of_peak(found: list[dict]) -> list[dict]:
    """Measurements with the share of what the bus can move: a line in each (scaled) controller cycle."""
    return [{**each, "share_of_peak": each["loads"] * SCALE / each["cycles"]} for each in found]


@dataclass(frozen=True)
class Run:
    """A run of the SoC from its snapshot.

    Attributes
    ----------
    experiment : its name in the results
    placement : how pages are placed
    script : file that the guest runs in the shell that has run prelude.sh
    variables : of the script
    derive : measurements -> measurements with what follows from them
    """

    experiment: str
    placement: str
    script: str
    variables: dict[str, str]
    derive: Callable[[list[dict]], list[dict]]

    @property
    def name(self) -> str:
        """By which it is chosen, and its folder called."""
        return f"{self.experiment}-{self.placement}".replace(" ", "-")

    def text(self) -> str:
        """The script as the guest gets it."""
        assignments = [f"{name}='{value}'" for name, value in {"SCALE": SCALE, **self.variables}.items()]
        return "\n".join([*assignments, (HERE / self.script).read_text()])


def _palloc(placement: str, *banks: str) -> Run:
    variables = {f"BANKS_{hart}": of_hart for hart, of_hart in enumerate(banks)}
    return Run("palloc", placement, "palloc.sh", variables, slowdowns)


def _bandwidth(placement: str, banks: str) -> Run:
    return Run("bank bandwidth", placement, "bank_bandwidth.sh", {"BANKS": banks}, shares_of_peak)


RUNS = [
    _palloc("same bank", "0", "0", "0", "0"),
    _palloc("private banks", "0-3", "4-7", "8-11", "12-15"),
    _palloc("buddy", "", "", "", ""),
    _bandwidth("one bank", "0"),
    _bandwidth("all banks", ""),
]


class Unexpected(Exception):
    """The guest has printed something else than the measurements; the message says what is wrong."""


def measurements(console: str) -> list[dict]:
    """What the script printed: for each line `measured: key=value` that, and what chase did. Raises Unexpected."""
    found = []
    for block in re.split(r"^measured: ", console, flags=re.MULTILINE)[1:]:
        key, value = re.match(r"(\w+)=(\d+)$", block.splitlines()[0]).groups()
        line = re.search(r"^workload=chase .*", block, re.MULTILINE)
        if line is None:
            raise Unexpected(f"no result of chase with {key}={value}")
        figures = dict(word.split("=") for word in line[0].split())
        if figures["result"] != "right":
            raise Unexpected(f"chase with {key}={value} read wrong data")
        found.append({key: int(value), "loads": int(figures["operations"]), "cycles": int(figures["cycles"])})
    if not found:
        raise Unexpected("no measurement")
    return found


def rows(run: Run, console: str) -> list[dict]:
    """The rows of a run: its measurements, with what follows from them."""
    where = {"experiment": run.experiment, "placement": run.placement}
    return [{**where, **each} for each in run.derive(measurements(console))]
