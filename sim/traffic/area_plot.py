# SPDX-License-Identifier: Apache-2.0
"""Draw speed over area: MB/s at its own clock of each core whose area was measured, above its LUT equivalents."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from plot import LITEDRAM, WEIR
from systems import SYSTEMS

PATTERNS = (
    ("sequential_read", 1, 64),
    ("sequential_write", 1, 64),
    ("random_read", 16, 64),
    ("random_read", 16, 16),
    ("random_2to1", 16, 64),
    ("random_2to1", 16, 16),
)
"""Pattern, ids and bytes of a panel."""


def points(own_clock: list[dict], pattern: str, ids: int, size: int) -> dict[str, tuple[str, int, float]]:
    """Of each core that was measured with a pattern: its controller, its LUT equivalents and its MB/s."""
    found = {}
    for row in own_clock:
        if (row["pattern"], row["ids"], row["burst_bytes"]) == (pattern, ids, size):
            # LiteDRAM's core, and what it reaches, is the same in all systems of as many phases
            system = SYSTEMS[row["config"]]
            core = row["config"] if row["controller"] == "weir" else f"LiteDRAM, {system.phases} phases"
            found[core] = (row["controller"], row["lut_equivalents"], row["mb_s"])
    return found


def draw(own_clock: list[dict], folder: Path) -> None:
    """Write speed_over_area.svg and .png."""
    figure, axes = plt.subplots(3, 2, figsize=(10, 10), layout="constrained", sharex=True)
    for axis, (pattern, ids, size) in zip(axes.flat, PATTERNS, strict=True):
        for core, (controller, luts, rate) in points(own_clock, pattern, ids, size).items():
            axis.scatter([luts], [rate], color=WEIR if controller == "weir" else LITEDRAM)
            axis.annotate(core, (luts, rate), xytext=(4, 5), textcoords="offset points", fontsize=8)
        axis.set_xscale("log")
        axis.set_xlim(2000, 60000)
        axis.set_ylim(bottom=0)
        axis.margins(y=0.15)
        axis.set_title(f"{pattern.replace('_', ' ')}, {ids} id{'s' if ids > 1 else ''}, {size} bytes", fontsize=9)
        axis.set_ylabel("MB/s at own clock")
    for axis in axes[-1]:
        axis.set_xlabel("LUT equivalents, ECP5")
    folder.mkdir(parents=True, exist_ok=True)
    plt.rcParams["svg.hashsalt"] = "speed_over_area"
    figure.savefig(folder / "speed_over_area.svg", metadata={"Date": None})
    figure.savefig(folder / "speed_over_area.png", dpi=110)
    plt.close(figure)
