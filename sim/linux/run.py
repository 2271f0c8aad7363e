#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Go on from the snapshot of a booted SoC, run a script in the guest, and keep the figures in build/results/linux.json.

The exit code is weir-sim's: that of the script, or one of weir-sim's own.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import boot_figures
import machine
import simulation
from rich.console import Console

RESULTS = machine.ROOT / "build" / "results" / "linux.json"
BENCHMARK = Path(__file__).with_name("benchmark.sh")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", help="name of the SoC, such as weir-4")
    parser.add_argument("--script", type=Path, default=BENCHMARK, help="what the guest runs (default %(default)s)")
    parser.add_argument("--shell", action="store_true", help="no script: a shell of the guest on this terminal")
    options = parser.parse_args()
    snapshot = machine.snapshot(options.soc)
    if not snapshot.is_file():
        parser.error(f"{snapshot} does not exist; `make snapshot` makes it")
    if options.shell:
        os.execv(machine.simulator(options.soc), [str(word) for word in machine.resume(options.soc)])
    if not options.script.is_file():
        parser.error(f"--script: {options.script} is no file")

    summary = snapshot.with_name("run.json")
    summary.unlink(missing_ok=True)
    console = Console()
    display = simulation.Display(console, "init", snapshot.with_name("megacycles-of-last-run"), machine.STAGES)
    failure = None
    try:
        _, cycles = simulation.simulate([*machine.resume(options.soc, options.script), "--summary", summary], display)
        display.done(cycles)
    except simulation.Failed as error:
        failure = error
    if summary.is_file():
        boot = json.loads(snapshot.with_name("boot.json").read_text())
        boot_figures.keep(RESULTS, boot_figures.row(options.soc, boot, json.loads(summary.read_text())))
    if failure:
        console.print(f"run.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
        return failure.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
