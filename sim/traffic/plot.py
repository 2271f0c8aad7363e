# SPDX-License-Identifier: Apache-2.0
"""Draw traffic.json: efficiency of both controllers and the bound, a panel for each pattern; of `idle_latency`, what it
is measured for, the read latency."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from table import pairs

WEIR, LITEDRAM, BOUND = "#0b6e99", "#c9a227", "#444444"


def label(row: dict, default: str) -> str:
    """The point's name on the axis: what differs from one port of the default system."""
    words = [f"{row['ids']} id" + "s" * (row["ids"] > 1), f"{row['burst_bytes']} B"]
    if row["ports"] > 1:
        words.insert(0, f"{row['ports']} ports")
    if row["config"] != default:
        words.insert(0, row["config"].removeprefix("ddr3-"))
    return ", ".join(words)


def draw(found: dict, folder: Path) -> None:
    """Write traffic.svg and traffic.png."""
    default = found["config"]["name"]
    by_pattern: dict[str, list[tuple[dict, dict]]] = {}
    for weir, litedram in pairs(found["rows"]):
        by_pattern.setdefault(weir["pattern"], []).append((weir, litedram))

    columns = 3
    lines = -(-len(by_pattern) // columns)
    most = max(len(points) for points in by_pattern.values())
    figure, axes = plt.subplots(lines, columns, figsize=(15, lines * (1.2 + 0.26 * most)), layout="constrained")
    for axis, (pattern, points) in zip(axes.flat, by_pattern.items(), strict=False):
        draw_pattern(axis, pattern, points, default)
    for axis in axes.flat[len(by_pattern) :]:
        axis.set_visible(False)
    config = found["config"]
    memory = f"{config['ranks']} ranks of {config['part']}, DQ {config['dq']}"
    figure.suptitle(f"Share of the data bus's peak: {memory}, {config['clock']}")
    handles, names = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    # No date and fixed ids, so that the same results give the same file.
    plt.rcParams["svg.hashsalt"] = "traffic"
    figure.savefig(folder / "traffic.svg", metadata={"Date": None})
    figure.savefig(folder / "traffic.png", dpi=110)
    plt.close(figure)


def draw_pattern(axis: plt.Axes, pattern: str, points: list[tuple[dict, dict]], default: str) -> None:
    """Two bars a point and, where efficiency is shown, a mark at the bound."""
    height = 0.38
    places = range(len(points))
    latency = pattern == "idle_latency"
    shown = "read_latency_mean" if latency else "efficiency"
    weir, litedram = ([both[index][shown] for both in points] for index in (0, 1))
    bounds = [row["bound"] for row, _ in points]
    axis.barh([at - height / 2 for at in places], weir, height, color=WEIR, label="Weir")
    axis.barh([at + height / 2 for at in places], litedram, height, color=LITEDRAM, label="LiteDRAM")
    if latency:
        axis.set_xlabel("mean read latency in DRAM clocks")
    else:
        axis.scatter(bounds, list(places), marker="|", s=160, color=BOUND, label="bound of the part", zorder=3)
        # A pattern that is far below the peak by nature gets an axis of its own.
        axis.set_xlim(0, 1.02 if max(bounds) > 0.5 else None)
    axis.set_yticks(list(places), [label(row, default) for row, _ in points], fontsize=8)
    axis.invert_yaxis()
    axis.set_title(pattern)
    axis.spines[["top", "right"]].set_visible(False)
