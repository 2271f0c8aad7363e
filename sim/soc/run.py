#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run membench on a simulated SoC: its console as it comes, then build/results/run.json, a table and a plot.

run.json holds what was simulated (`soc`, `controller`, `harts`, `clock_mhz`, `dram`, `cycles`) and `rows`, each with
`test`, `harts` (that worked at once), `footprint_bytes` (of a hart), `stride_bytes` (0: none), `value` and `unit`. A
latency is that of a load, in cycles; a bandwidth is that of all harts together, in MB/s at `clock_mhz`.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import results
import run_plot
import simulation
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE_ADDRESS = 0x8020_0000
CYCLE_LIMIT = 40_000_000
DRAM = "two ranks of DDR3-1600 x8, DQ 64"


def command(soc, options):
    """The simulator of the SoC in folder `soc` with membench."""
    image = f"{soc / 'firmware' / 'membench.bin'}@{FIRMWARE_ADDRESS:#x}"
    return [soc / "weir-sim", "--boot", hex(FIRMWARE_ADDRESS), "--ram-image", image, "--cycles", CYCLE_LIMIT, *options]


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
    display = simulation.Display(console, arguments.soc.name, arguments.soc / "megacycles-of-last-run")
    options = ["--tolerate-violations"] if arguments.tolerate_violations else []
    start = time.monotonic()
    try:
        output, cycles = simulation.simulate(command(arguments.soc, options), display, (results.BEGIN, results.END))
        rows = results.parse(output)
    except (simulation.Failed, results.NoResults) as failure:
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
