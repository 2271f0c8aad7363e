#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boot Linux on a simulated SoC and save the whole machine at the moment at which init runs.

Writes build/linux/SOC/: snapshot, boot.json (weir-sim's summary of the boot) and console.txt.
"""

import argparse
import json
import sys

import machine
import simulation
from rich.console import Console


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", help="name of the SoC, such as weir-4")
    soc = parser.parse_args().soc
    for path in (machine.simulator(soc), *machine.files(soc)):
        if not path.is_file():
            parser.error(f"{path} does not exist; `make snapshot` builds it")

    snapshot = machine.snapshot(soc)
    snapshot.parent.mkdir(parents=True, exist_ok=True)
    summary = snapshot.with_name("boot.json")
    command = [*machine.boot(soc), "--save", snapshot, "--summary", summary, "--mark", machine.AT_INIT]
    console = Console()
    record = snapshot.with_name("megacycles-of-last-boot")
    display = simulation.Display(console, "BIOS", record, machine.STAGES, machine.FIRST_BOOT.get(soc))
    try:
        output, cycles = simulation.simulate(command, display)
    except simulation.Failed as failure:
        console.print(f"boot.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    snapshot.with_name("console.txt").write_text(output + "\n")
    display.done(cycles)
    boot = json.loads(summary.read_text())
    console.print(
        f"{soc}: init at cycle {boot['marks'][machine.AT_INIT]}, {sum(boot['instructions'])} instructions, "
        f"{boot['cycles'] / boot['seconds'] / 1e3:.0f} kHz; {snapshot}",
        highlight=False,
        soft_wrap=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
