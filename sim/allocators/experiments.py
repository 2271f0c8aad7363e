# SPDX-License-Identifier: Apache-2.0
"""The experiments: which script runs in the guest, with which variables, and what is made of what it prints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent

SCALE = 16
"""The simulated harts run at 200 MHz, a quarter of the DRAM's clock; so the memory looks as to a core of 3.2 GHz."""


@dataclass(frozen=True)
class Run:
    """A run of the SoC from its snapshot.

    Attributes
    ----------
    experiment : its name in the results
    placement : how pages are placed
    script : file that the guest runs
    variables : of the script
    """

    experiment: str
    placement: str
    script: str
    variables: dict[str, str]

    @property
    def name(self) -> str:
        """By which it is chosen, and its folder called."""
        return f"{self.experiment}-{self.placement}".replace(" ", "-")

    def text(self) -> str:
        """The script as the guest gets it."""
        assignments = [f"{name}='{value}'" for name, value in {"SCALE": SCALE, **self.variables}.items()]
        return "\n".join(["#!/bin/sh", *assignments, (HERE / self.script).read_text()])


def _palloc(placement: str, *banks: str) -> Run:
    variables = {f"BANKS_{hart}": of_hart for hart, of_hart in enumerate(banks)}
    return Run("palloc", placement, "palloc.sh", variables)


RUNS = [
    _palloc("same bank", "0", "0", "0", "0"),
    _palloc("private banks", "0-3", "4-7", "8-11", "12-15"),
    _palloc("buddy", "", "", "", ""),
    Run("bank bandwidth", "one bank", "bank_bandwidth.sh", {"BANKS": "0"}),
    Run("bank bandwidth", "all banks", "bank_bandwidth.sh", {"BANKS": ""}),
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
    found = measurements(console)
    made = []
    for each in found:
        row = {"experiment": run.experiment, "placement": run.placement, **each}
        if run.experiment == "palloc":
            row["slowdown"] = each["cycles"] / found[0]["cycles"]
        else:
            # a controller cycle moves a line at the most; the scaled memory takes SCALE cycles for it
            row["share_of_peak"] = each["loads"] * SCALE / each["cycles"]
        made.append(row)
    return made
