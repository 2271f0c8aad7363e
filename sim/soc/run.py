#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run membench on a simulated SoC: its console as it comes, then build/results/run.json, a table and a plot.

run.json holds what was simulated (`soc`, `controller`, `harts`, `clock_mhz`, `dram`, `cycles`) and `rows`, each with
`test`, `harts` (that worked at once), `footprint_bytes` (of a hart), `stride_bytes` (0: none), `value` and `unit`. A
latency is that of a load, in cycles; a bandwidth is that of all harts together, in MB/s at `clock_mhz`.
"""

import argparse
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import results
import run_plot
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE_ADDRESS = 0x8020_0000
CYCLE_LIMIT = 40_000_000
DRAM = "two ranks of DDR3-1600 x8, DQ 64"
_PROGRESS = re.compile(r"weir-sim: ([\d.]+) M cycles, (\d+) kHz, \d+ s: (.*)")


class Failed(Exception):
    """The simulation did not end as it must."""


class Display:
    """The guest's console, and below it on a terminal a bar with stage, cycles, speed and what remains.

    How many cycles there will be is known from the last run of the same SoC.
    """

    def __init__(self, console, name, record):
        self.console = console
        self._record = record
        last = float(record.read_text()) if record.exists() else None
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.2f} M cycles, {task.fields[speed]} kHz"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self.progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self.progress.add_task(name, total=last, speed="?")

    def message(self, line):
        """A line of the simulator's stderr: progress, or something to show."""
        match = _PROGRESS.fullmatch(line)
        if match is None:
            self.show(line)
            return
        cycles, speed, stage = float(match[1]), match[2], match[3]
        self.progress.update(self._task, completed=cycles, speed=speed, description=stage)
        if not self.console.is_terminal:
            self.show(line)

    def show(self, line):
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def done(self, cycles):
        self._record.write_text(f"{cycles / 1e6:.3f}\n")


def simulate(soc, options, display):
    """Run membench on the SoC in folder `soc`; its console output. Raises Failed."""
    image = soc / "firmware" / "membench.bin"
    command = [soc / "weir-sim", "--boot", hex(FIRMWARE_ADDRESS), "--ram-image", f"{image}@{FIRMWARE_ADDRESS:#x}"]
    command += ["--cycles", CYCLE_LIMIT, "--progress", "1" if display.console.is_terminal else "15", *options]
    lines, last_words = [], []
    with (
        display.progress,
        subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process,
    ):

        def messages():
            for line in process.stderr:
                last_words.append(line.strip())
                display.message(line.strip())

        reader = threading.Thread(target=messages)
        reader.start()
        in_block = False
        for line in process.stdout:
            lines.append(line.replace("\r", "").rstrip("\n"))
            in_block = (in_block or lines[-1] == results.BEGIN) and lines[-1] != results.END
            if not in_block and lines[-1] != results.END:  # the block is for programs
                display.show(lines[-1])
        reader.join()
    if process.returncode != 0:
        raise Failed(f"the simulation ended with exit code {process.returncode}: {(last_words or ['no message'])[-1]}")
    return "\n".join(lines), float(_PROGRESS.fullmatch(last_words[-1])[1]) * 1e6


def describe(soc):
    """What was simulated, from LiteX's description of the SoC."""
    constants = json.loads((soc / "csr.json").read_text())["constants"]
    return {
        "soc": soc.name,
        "controller": {"weir": "Weir", "litedram": "LiteDRAM"}[soc.name.split("-")[0]],
        "harts": constants["config_cpu_count"],
        "clock_mhz": constants["config_clock_frequency"] / 1e6,
        "dram": DRAM,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC with weir-sim and firmware/membench.bin")
    parser.add_argument("--tolerate-violations", action="store_true", help="count broken DRAM rules and go on")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    arguments = parser.parse_args()
    for path in (arguments.soc / "weir-sim", arguments.soc / "firmware" / "membench.bin", arguments.soc / "csr.json"):
        if not path.is_file():
            parser.error(f"{path} does not exist; `make soc` builds it")

    console = Console()
    display = Display(console, arguments.soc.name, arguments.soc / "megacycles-of-last-run")
    options = ["--tolerate-violations"] if arguments.tolerate_violations else []
    start = time.monotonic()
    try:
        output, cycles = simulate(arguments.soc, options, display)
        rows = results.parse(output)
    except (Failed, results.NoResults) as failure:
        console.print(f"run.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    display.done(cycles)
    document = {**describe(arguments.soc), "cycles": int(cycles), "rows": rows}
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "run.json").write_text(json.dumps(document, indent=1) + "\n")
    run_plot.draw(document, arguments.output)
    console.print(results.table(document))
    elapsed = time.monotonic() - start
    console.print(f"{cycles / 1e6:.2f} M cycles in {elapsed:.0f} s; {arguments.output}/run.json, run.svg, run.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
