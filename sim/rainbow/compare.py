#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run programs under Linux on the simulated SoC with an NVM region, with their pages where five policies have them.

Writes build/results/rainbow.json: an object with `rows`, one for each policy, program and seed (docs/rainbow.md says
what is in them), those of other runs as they were; and under build/rainbow each run's console and weir-sim's messages.
Rows are written as runs end. Exit code 1 when a run fails, of which there is no row then.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "linux"), str(ROOT / "sim" / "progress")]

import kept_rows  # noqa: E402
import machine  # noqa: E402
import recorded  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from recorded import Failed  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # noqa: E402
from rich.table import Table  # noqa: E402
from spoken import SpokenProgress  # noqa: E402

RESULTS = ROOT / "build" / "results" / "rainbow.json"
FOLDER = ROOT / "build" / "rainbow"
SCRIPT = Path(__file__).with_name("policies.sh")
PARALLEL = 2
"""Runs at a time."""

SCALE = 4
"""How many cycles of the harts the memory takes for one of its own while a program is timed: it looks as to a core of
800 MHz, as in docs/hybrid.md."""

POLICIES = ("dram_only", "nvm_only", "flat_static", "hscc_4k", "hscc_2m", "rainbow")
HUGE = "hscc_2m"
"""The policy that moves huge pages, so for programs alone that have some."""

HARTS = (1, 4)
"""Of the SoCs with an NVM region."""

INTERVAL_US = 5000
"""A million cycles of the controller, four of the harts."""


COUNTED = (
    "intervals",
    "promoted",
    "evicted",
    "declined",
    "refused",
    "moved_lines",
    "redirected_reads",
    "redirected_writes",
    "bitmap_misses",
    "pointer_misses",
)
"""Statistics of the driver that a row has, as far as they grew while the program was timed."""

SETTINGS = (
    "frames",
    "least_count",
    "migrate_ns",
    "write_back_ns",
    "nvm_read_ns",
    "nvm_write_ns",
    "dram_read_ns",
    "dram_write_ns",
)
"""Settings and costs of the driver that a row has, as they are when the program has been timed."""


@dataclass(frozen=True)
class Run:
    """A policy, by its name in policies.sh, a program, by its name in PROGRAMS, a seed, and the harts of the SoC, each
    of which has a thread of the program."""

    policy: str
    program: str
    seed: int
    harts: int = 1

    @property
    def soc(self) -> str:
        return f"weir-{self.harts}-hybrid"

    @property
    def name(self) -> str:
        return f"{self.program}-{self.harts}-{self.policy}-{self.seed}"

    def script(self) -> str:
        """What the guest runs."""
        values = {"POLICY": self.policy, "FRAMES": PROGRAMS[self.program].frames, "INTERVAL_US": INTERVAL_US}
        program = f"{PROGRAMS[self.program].command} --seed {self.seed}"
        if self.harts > 1:
            program += f" --threads {self.harts}"
        values |= {"SCALE": SCALE, "PROGRAM": f'"{program}"'}
        lines = [f"{name}={value}" for name, value in values.items()]
        return "\n".join(["#!/bin/sh", *lines, SCRIPT.read_text()])


def figures(console: str, when: str) -> dict[str, int]:
    """What the guest printed of the driver's files at that moment: name -> number."""
    parts = re.split(r"^figures (\w+)$", console, flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    lines = re.findall(r"^(?:\w+/)?(\w+):(-?\d+)$", texts.get(when, ""), re.MULTILINE)
    return {name: int(value) for name, value in lines}


def row(run: Run, console: str, slowed: dict) -> dict:
    """What the guest printed of a run, and what weir-sim's summary says of the time in which the memory was slower.
    Raises Failed."""
    lines = re.findall(r"^workload=.*", console, re.MULTILINE)
    if len(lines) != 1:
        raise Failed(f"{run.name}: {len(lines)} results of the program, not one")
    done = dict(word.split("=") for word in lines[0].split())
    if done["result"] != "right":
        raise Failed(f"{run.name}: the program read wrong data")
    before, after = figures(console, "before"), figures(console, "after")
    gained = {name: after[name] - before[name] for name in COUNTED if name in before and name in after}
    if len(gained) != len(COUNTED):
        raise Failed(f"{run.name}: no statistics of the driver")
    if gained.pop("refused"):
        raise Failed(f"{run.name}: the controller refused moves")
    lines_of_ranks: dict[str, int] = {}
    for event, rank, count in re.findall(r"^(reads|writes),\d*,([01]),(\d+)$", console, re.MULTILINE):
        name = f"{('dram', 'nvm')[int(rank)]}_{event}"
        lines_of_ranks[name] = lines_of_ranks.get(name, 0) + int(count)
    if len(lines_of_ranks) != 4:
        raise Failed(f"{run.name}: weirstat counted {', '.join(lines_of_ranks) or 'nothing'}")
    walks = {f"walks_{name}": sum(counts) for name, counts in slowed["page_walks"].items()}
    return {
        "policy": run.policy,
        "program": run.program,
        "seed": run.seed,
        "harts": run.harts,
        **{name: int(done[name]) for name in ("operations", "cycles", "latter_half") if name in done},
        "instructions": sum(slowed["instructions"]),
        **walks,
        **lines_of_ranks,
        **gained,
        "interval_us": INTERVAL_US,
        "scale": SCALE,
        **{name: value for name, value in after.items() if name in SETTINGS},
    }


def measure(run: Run, progress: SpokenProgress) -> dict:
    """The row of a run. Raises Failed."""
    task = progress.add_task(run.name, total=None)

    def advance(megacycles: float):
        progress.update(task, completed=megacycles)

    text, summary = recorded.run(run.soc, run.script(), FOLDER / run.name, advance)
    progress.remove_task(task)
    return row(run, text, summary["slowed"])


def _key(row_: dict) -> tuple:
    return row_["policy"], row_["program"], row_["seed"], row_["harts"]


def keep(found: list[dict]) -> list[dict]:
    """Puts rows into RESULTS in place of those of the same policy, program, seed and harts; all rows."""
    return kept_rows.keep(RESULTS, found, _key, order=_key)


def table(rows: list[dict]) -> Table:
    """Of each program, number of harts and policy the median and the range of cycles over all seeds, of the whole and
    the latter half, over those of DRAM alone with the same seed."""
    shown = Table("program", "harts", "policy", "starts", "time", "latter half", "pages moved", "NVM reads, writes")
    for (program, harts), policy in product(product(PROGRAMS, HARTS), POLICIES):
        work = [each for each in rows if (each["program"], each["harts"]) == (program, harts)]
        dram = {each["seed"]: each for each in work if each["policy"] == "dram_only"}
        of = [each for each in work if each["policy"] == policy and each["seed"] in dram]
        if not of:
            continue

        def relative(name, of=of, dram=dram):
            ratios = [each[name] / dram[each["seed"]][name] for each in of if name in each]
            if not ratios:
                return "-"
            spread = f" ({min(ratios):.3f} to {max(ratios):.3f})" if len(ratios) > 1 else ""
            return f"{statistics.median(ratios):.3f}{spread}"

        def median(name, of=of):
            return f"{statistics.median(each[name] for each in of):.0f}"

        traffic = f"{median('nvm_reads')}, {median('nvm_writes')}"
        shown.add_row(
            program,
            str(harts),
            policy,
            str(len(of)),
            relative("cycles"),
            relative("latter_half"),
            median("promoted"),
            traffic,
        )
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=POLICIES, help="default: all")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS), help="default: all")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5], help="default: 1 to 5, a start each")
    parser.add_argument("--harts", type=int, choices=HARTS, default=1, help="of the SoC; programs of several threads")
    options = parser.parse_args()
    if min(options.seeds) < 0:
        parser.error(f"--seeds {min(options.seeds)}: at least 0")
    snapshot = machine.snapshot(f"weir-{options.harts}-hybrid")
    if not snapshot.is_file():
        parser.error(f"{snapshot} does not exist; `make {snapshot.relative_to(ROOT)}` makes it")
    if options.harts > 1:
        options.programs = [name for name in options.programs if PROGRAMS[name].is_parallel]
    runs = [
        Run(policy, name, seed, options.harts)
        for seed in options.seeds
        for name in options.programs
        for policy in options.policies
        if policy != HUGE or PROGRAMS[name].has_huge_pages
    ]
    if not runs:
        parser.error(
            "none of these programs has what these policies and harts need: huge pages, a thread for each hart"
        )
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.0f} M cycles"))
    rows, failed = [], []
    with (
        SpokenProgress(*columns, TimeElapsedColumn(), console=console, unit="M cycles") as progress,
        ThreadPoolExecutor(PARALLEL) as pool,
    ):
        for count, future in enumerate(as_completed([pool.submit(measure, run, progress) for run in runs]), 1):
            try:
                rows = keep([future.result()])
            except Failed as error:
                failed.append(str(error))
            console.print(f"{count} of {len(runs)} runs have ended", highlight=False)
    for message in failed:
        print(f"compare.py: {message}", file=sys.stderr)
    if rows:
        console.print(table(rows))
        console.print(RESULTS, soft_wrap=True, highlight=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
