# SPDX-License-Identifier: Apache-2.0
"""Draw compare.json: what the figures demand, of Weir and of LiteDRAM, with a mark where each demand lies."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import figures
import matplotlib.pyplot as plt
from plot import BOUND, LITEDRAM, WEIR


def demanded(figure: figures.Figure) -> float | None:
    """Where Weir's bar must reach, or must not: of a ratio, that many times LiteDRAM's."""
    if not figure.of.startswith("times"):
        return figure.limit
    return None if figure.litedram is None else figure.limit * figure.litedram


def panels(found: list[figures.Figure]) -> dict[str, list[figures.Figure]]:
    """The figures by the axis that they share; a point with two demands is drawn once for each."""
    by_panel: dict[str, list[figures.Figure]] = {}
    for figure in found:
        if figure.of.endswith("ns at own clock"):
            panel = "read latency in ns at own clock, ECP5-85F"
        elif figure.of.endswith("MB/s at own clock"):
            panel = "MB/s at own clock, ECP5-85F"
        elif figure.figure.startswith("idle"):
            panel = "idle read latency, mean DRAM clocks"
        elif "LUT" in figure.figure:
            panel = "LUT equivalents, ECP5"
        elif "Fmax" in figure.figure:
            panel = "Fmax in MHz, ECP5-85F"
        elif figure.of == "cycles":
            panel = "controller cycles"
        else:
            panel = "share of the bus, or of the bound where streams are sequential"
        by_panel.setdefault(panel, []).append(figure)
    return by_panel


def draw(found: dict, folder: Path) -> None:
    """Write compare.svg and compare.png."""
    by_panel = panels(figures.figures(found))
    heights = [1 + len(shown) for shown in by_panel.values()]
    figure, axes = plt.subplots(
        len(by_panel), 1, figsize=(10, 0.5 * sum(heights)), height_ratios=heights, layout="constrained", squeeze=False
    )
    for axis, (panel, shown) in zip(axes.flat, by_panel.items(), strict=True):
        draw_panel(axis, panel, shown)
    handles, names = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    # No date and fixed ids, so that the same results give the same file.
    plt.rcParams["svg.hashsalt"] = "compare"
    figure.savefig(folder / "compare.svg", metadata={"Date": None})
    figure.savefig(folder / "compare.png", dpi=110)
    plt.close(figure)


def label(figure: figures.Figure) -> str:
    """The figure and its demand."""
    times = " x LiteDRAM" if figure.of.startswith("times") else ""
    return f"{figure.figure} ({figure.relation} {figure.limit:g}{times})"


def draw_panel(axis: plt.Axes, panel: str, shown: list[figures.Figure]) -> None:
    height = 0.38
    places = range(len(shown))
    for shift, color, name, values in (
        (-height / 2, WEIR, "Weir", [figure.weir for figure in shown]),
        (height / 2, LITEDRAM, "LiteDRAM", [figure.litedram for figure in shown]),
    ):
        axis.barh([at + shift for at in places], [value or 0 for value in values], height, color=color, label=name)
    limits = [(demanded(figure), at - height / 2) for at, figure in enumerate(shown)]
    known = [(value, at) for value, at in limits if value is not None]
    axis.scatter(
        *zip(*known, strict=True) if known else ([], []), marker="|", s=160, color=BOUND, label="must", zorder=3
    )
    axis.set_yticks(list(places), [label(figure) for figure in shown], fontsize=8)
    axis.invert_yaxis()
    axis.set_title(panel, fontsize=9)
    axis.spines[["top", "right"]].set_visible(False)
