# SPDX-License-Identifier: Apache-2.0
"""The scripts as the guest gets them: what all runs begin with, and the lines of the others."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent

SCALE = 16
"""How many cycles of the harts the memory takes for one of its own while loads are timed. The harts run at 200 MHz in
simulation, a quarter of the DRAM's clock; so all of the memory looks as to cores of 3.2 GHz."""


def lines(*scripts: str) -> list[str]:
    """The lines of `scripts` without comments, which the guest would read letter by letter."""
    all_lines = [line for name in scripts for line in (HERE / name).read_text().splitlines()]
    return [line for line in all_lines if line and not line.lstrip().startswith("#")]


def prelude() -> str:
    """What all runs begin with, and are saved behind."""
    return "\n".join([f"SCALE={SCALE}", *lines("functions.sh", "prelude.sh"), ""])
