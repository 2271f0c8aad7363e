#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run membench on the simulated SoCs of boards, one after the other, and show their results side by side.

build/results/boards-membench.json holds them as `rows`, each with `soc`, `clock_mhz`, `test`, `footprint_bytes`,
`stride_bytes` (0: none), `value` and `unit`: cycles of a load, or MB/s at that clock.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "soc"))

import results
import simulation
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE_ADDRESS = 0x4020_0000
CYCLE_LIMIT = 100_000_000


def measure(soc, plan, console):
    """The rows of membench on the SoC in folder `soc`. Raises simulation.Failed or results.NoResults."""
    image = soc / "firmware" / f"membench-{plan}.bin"
    command = [soc / "weir-sim", "--boot", hex(FIRMWARE_ADDRESS), "--ram-image", f"{image}@{FIRMWARE_ADDRESS:#x}"]
    # LiteX's BIOS lets no refresh happen while it trains the reads: the one rule that may be broken
    command += ["--cycles", CYCLE_LIMIT, "--tolerate-violations"]
    display = simulation.Display(console, soc.name, soc / "megacycles-of-last-run")
    output, cycles = simulation.simulate(command, display, (results.BEGIN, results.END))
    display.done(cycles)
    hz = json.loads((soc / "csr.json").read_text())["constants"]["config_clock_frequency"]
    return [{"soc": soc.name, "clock_mhz": hz / 1e6, **row} for row in results.parse(output)]


def table(rows):
    """A line for each test, a column for each SoC."""
    columns = {row["soc"]: f"{row['soc']}, {row['clock_mhz']:g} MHz" for row in rows}
    return results.by_test("Memory as VexRiscv sees it", "cycles, and MB/s at each SoC's clock", rows, "soc", columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("socs", type=Path, nargs="+", help="folders of SoCs with weir-sim and firmware")
    parser.add_argument("--plan", choices=("full", "quick"), default="full", help="default %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    arguments = parser.parse_args()
    for soc in arguments.socs:
        for path in (soc / "weir-sim", soc / "firmware" / f"membench-{arguments.plan}.bin", soc / "csr.json"):
            if not path.is_file():
                parser.error(f"{path} does not exist; `make board-membench` builds it")
    console = Console()
    try:
        rows = [row for soc in arguments.socs for row in measure(soc, arguments.plan, console)]
    except (simulation.Failed, results.NoResults) as failure:
        console.print(f"membench.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "boards-membench.json").write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    console.print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
