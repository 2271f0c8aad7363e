#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run on a simulated SoC, from its snapshot, what all experiments begin with, and save the machine then.

Writes build/allocators/SOC/ready. Exit code: 0, or weir-sim's when it does not come so far.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "sim" / "linux"))

import machine  # noqa: E402
import scripts  # noqa: E402
import simulation  # noqa: E402
from rich.console import Console  # noqa: E402


def ready(soc: str) -> Path:
    """The machine as the prelude leaves it."""
    return ROOT / "build" / "allocators" / soc / "ready"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("soc", help="name of the SoC, such as weir-4")
    soc = parser.parse_args().soc
    if not machine.snapshot(soc).is_file():
        parser.error(f"{machine.snapshot(soc)} does not exist; `make snapshot` makes it")
    ready(soc).parent.mkdir(parents=True, exist_ok=True)
    script = ready(soc).with_name("prelude.sh")
    script.write_text(scripts.prelude())
    console = Console()
    display = simulation.Display(console, "prelude", ready(soc).with_name("megacycles-of-last-run"), machine.STAGES)
    try:
        _, cycles = simulation.simulate([*machine.resume(soc, script), "--save", ready(soc)], display)
    except simulation.Failed as failure:
        console.print(f"prepare.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
        return failure.code
    display.done(cycles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
