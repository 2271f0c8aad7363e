#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the SoC is simulated: Weir's simulator beside LiteX's own litex_sim, in turn, in one run.

Both have a Rocket hart (`linux`), a 64-bit DDR3 bus and the BIOS that initialises and tests the DRAM; litex_sim has
LiteDRAM's controller and DRAM model, and is built by LiteX's own Makefile with its flags. Between two cycles, the same
for both, the host's clock is taken. Writes build/results/speed.json: `rows` with `simulator`, `run`, `cycles`,
`seconds`, `kHz`, and `ratio`, the median of the speeds of weir-sim by that of litex_sim.
"""

import argparse
import json
import os
import pty
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "sim" / "progress"))
from spoken import of_runs  # noqa: E402

FIRST, LAST = 200_000, 1_200_000
"""Cycles between which is measured: start-up, such as LiteX's reading of memory contents, is left out."""


def litex_sim(folder):
    """Seconds that litex_sim in `folder` takes from cycle FIRST to LAST."""
    # On a pipe its C library would keep the lines back.
    terminal, end = pty.openpty()
    times = []
    with subprocess.Popen(
        [folder / "gateware" / "obj_dir" / "Vsim"], cwd=folder / "gateware", stdin=end, stdout=end, stderr=end
    ) as process:
        os.close(end)
        pending = b""
        try:
            while data := os.read(terminal, 4096):
                now = time.monotonic()
                *lines, pending = (pending + data).split(b"\n")
                times += [now for line in lines if b"CYCLE " in line]
        except OSError:
            pass  # the other end of the terminal was closed
    os.close(terminal)
    if process.returncode or len(times) != 2:
        sys.exit(f"speed.py: litex_sim ended with exit code {process.returncode} after {len(times)} of 2 marks")
    return times[1] - times[0]


def weir_sim(folder):
    """Seconds that weir-sim in `folder` takes from cycle FIRST to LAST."""

    def seconds(cycles):
        summary = folder / "speed.json"
        command = [folder / "weir-sim", "--cycles", str(cycles), "--progress", "0", "--summary", summary]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(summary.read_text())["seconds"]

    return seconds(LAST) - seconds(FIRST)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir", type=Path, help="folder of the SoC with weir-sim")
    parser.add_argument("litex", type=Path, help="folder that litex_sim_soc.py has written")
    parser.add_argument("--runs", type=int, default=3, help="of each, in turn (default %(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    options = parser.parse_args()
    # litex_sim runs in its own folder, from where a relative path would lead elsewhere
    options.weir, options.litex = options.weir.resolve(), options.litex.resolve()
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: must be at least 1")

    console = Console()
    rows = []
    simulators = (("litex_sim", litex_sim, options.litex), ("weir-sim", weir_sim, options.weir))
    with of_runs("speed", console) as progress:
        task = progress.add_task("speed", total=options.runs * len(simulators))
        for run in range(1, options.runs + 1):
            for name, measure, folder in simulators:
                took = measure(folder)
                khz = round((LAST - FIRST) / took / 1e3, 1)
                rows.append({"simulator": name, "run": run, "cycles": LAST - FIRST, "seconds": took, "kHz": khz})
                progress.advance(task)
    median = {
        name: statistics.median(row["kHz"] for row in rows if row["simulator"] == name)
        for name in ("litex_sim", "weir-sim")
    }
    ratio = round(median["weir-sim"] / median["litex_sim"], 2)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "speed.json").write_text(json.dumps({"ratio": ratio, "rows": rows}, indent=1) + "\n")
    table = Table("simulator", "run", "kHz", title=f"weir-sim / litex_sim: {ratio:.2f} (medians)")
    for row in rows:
        table.add_row(row["simulator"], str(row["run"]), f"{row['kHz']:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
