#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four harts in all ranks and in a rank each, without an operating system: build/results/ranks.json and a table.

ranks.json holds what was simulated (`soc`, `controller`, `harts`, `clock_mhz`, `dram`) and `rows`, each with its `case`
(a key of CASES), the `placement` (`all ranks`, `own rank`), its `program`, and what sw/firmware/ranks prints of hart 0:
`operations`, their `cycles`, and lists by rank: `reads`, the controller's cycles that these were in the queue
(`delay`), and those stalled by each cause.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from run import FIRMWARE_ADDRESS, describe

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "bench"), str(ROOT / "sim" / "progress")]
from registers import words  # noqa: E402
from spoken import of_runs  # noqa: E402

BEGIN, END = "=== begin ranks ===", "=== end ranks ==="
CYCLE_LIMIT = 30_000_000
AT_ONCE = 2
DRAM = "four ranks of DDR3-1600 x8, DQ 64"
PLACEMENTS = {"all ranks": 0, "own rank": 1}
DIVIDER = 16
"""Of the memory's clock, so that it looks as to harts of 3.2 GHz."""

HOT_32_GB = {"tRFC": 512, "tREFI": 3120}
"""Clocks of 1.25 ns: chips of 32 Gb above 85 degrees, Table II of "Rank Assignment"."""

HOT_4_GB = {"tRFC": 88, "tREFI": 3120}
"""The same with a tRFC of 110 ns."""

PHASE_CHANGE = {"tRC": 55, "tRAS": 45, "tWR": 100}
REFRESH_POLICIES = ("staggered", "simultaneous", "defer_until_empty", "elastic")
"""By their numbers in the register refresh_policy."""


class Failed(Exception):
    """A run did not end as it must."""


@dataclass(frozen=True)
class Case:
    """What runs on each hart, and what Weir is set to.

    Attributes
    ----------
    program : `chase`, loads each of which needs the one before, or `updates`
    kilobytes : of each hart
    operations : of hart 0
    fields : of registers, by their names in Weir.rdl
    """

    program: str
    kilobytes: int
    operations: int
    fields: dict

    def script(self, placement, rdl):
        """The simulator's script for one run."""
        registers = words(rdl, self.fields)
        numbers = [int(self.program == "updates"), PLACEMENTS[placement], self.kilobytes, self.operations, DIVIDER]
        numbers += [len(registers), *(number for register in registers for number in register)]
        return "".join(f"{number} " for number in numbers)


def _chase(policy, **timings):
    return Case("chase", 256, 512, {**timings, "refresh_policy": REFRESH_POLICIES.index(policy)})


def _updates(high, low, shared, age_limit, early=False):
    drains = {"drain_policy.marks": int(shared), "drain_policy.start": int(not early), "age_limit": age_limit}
    return Case("updates", 512, 2048, {**PHASE_CHANGE, "water_marks.high": high, "water_marks.low": low, **drains})


CASES = {
    **{f"refresh {policy}": _chase(policy, **HOT_32_GB) for policy in REFRESH_POLICIES},
    "refresh staggered, 4 Gb": _chase("staggered", **HOT_4_GB),
    **{f"marks of each rank 10 5, age {age}": _updates(10, 5, False, age) for age in (100, 4095)},
    **{f"marks of the channel 20 10, age {age}": _updates(20, 10, True, age) for age in (400, 4095)},
    "marks of the channel 20 10, early, age 4095": _updates(20, 10, True, 4095, early=True),
    "marks of the channel 16 8, age 4095": _updates(16, 8, True, 4095),
}


def row(console):
    """What the program printed of hart 0. Raises Failed."""
    lines = console.replace("\r", "").splitlines()
    if BEGIN not in lines or END not in lines:
        raise Failed("the program did not print what it measured")
    return json.loads(lines[lines.index(BEGIN) + 1])


def simulate(soc, design, case, placement, folder):
    """The row of one run. Raises Failed."""
    name = f"{case} {placement}".replace(",", "").replace(" ", "-")
    script = folder / f"{name}.script"
    script.write_text(CASES[case].script(placement, design / "Weir.rdl"))
    image = f"{soc / 'firmware' / 'ranks.bin'}@{FIRMWARE_ADDRESS:#x}"
    command = [soc / "weir-sim", "--boot", hex(FIRMWARE_ADDRESS), "--ram-image", image, "--script", script]
    command += ["--cycles", CYCLE_LIMIT, "--progress", "0"]
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", check=False
    )
    if result.returncode != 0:
        last = "; ".join((result.stdout + result.stderr).replace("\r", "").strip().splitlines()[-2:])
        raise Failed(f"{case}, {placement}: exit code {result.returncode}: {last}")
    return {"case": case, "placement": placement, "program": CASES[case].program, **row(result.stdout)}


def table(rows):
    """A rich table: a line for each case, with the cycles of an operation in all ranks and in a rank of one's own."""
    found = Table(title="Four harts, in all ranks and in a rank each", caption="cycles of an operation on hart 0")
    for heading in ("case", "program", *PLACEMENTS, ""):
        found.add_column(heading, justify="left" if heading in ("case", "program") else "right")
    for case in dict.fromkeys(row["case"] for row in rows):
        of_case = {row["placement"]: row["cycles"] / row["operations"] for row in rows if row["case"] == case}
        cells = [f"{of_case[placement]:.0f}" for placement in PLACEMENTS]
        found.add_row(case, CASES[case].program, *cells, f"{of_case['own rank'] / of_case['all ranks']:.3f}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC of four ranks with weir-sim and firmware/ranks.bin")
    parser.add_argument("--design", type=Path, default=ROOT / "build/hw/soc-512-4rank", help="default %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    parser.add_argument("--cases", nargs="+", choices=[*CASES], default=[*CASES], metavar="CASE", help="default all")
    options = parser.parse_args()
    for path in (options.soc / "weir-sim", options.soc / "firmware" / "ranks.bin", options.design / "Weir.rdl"):
        if not path.is_file():
            parser.error(f"{path} does not exist; `make ranks` builds it")

    console = Console()
    runs = [(case, placement) for case in options.cases for placement in PLACEMENTS]
    with (
        tempfile.TemporaryDirectory() as folder,
        of_runs("ranks", console) as progress,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        task = progress.add_task("ranks", total=len(runs))
        try:
            rows = []
            for found in pool.map(lambda run: simulate(options.soc, options.design, *run, Path(folder)), runs):
                rows.append(found)
                progress.advance(task)
        except Failed as failure:
            console.print(f"ranks.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
            return 1
    document = {**describe(options.soc), "dram": DRAM, "rows": rows}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "ranks.json").write_text(json.dumps(document, indent=1) + "\n")
    console.print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
