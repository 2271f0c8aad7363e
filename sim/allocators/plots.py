# SPDX-License-Identifier: Apache-2.0
"""Plots of the experiments, as SVG for the report."""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from findings import Finding, waits

MET, MISSED, PLAIN = "#2e7d4f", "#b3402e", "#7fb3c8"
CAUSES = ("#0b6e99", "#c9a227", "#7a5195", "#2e7d4f", "#b3402e", "#888888")


def _svg(figure: plt.Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg")
    plt.close(figure)
    return text.getvalue()[text.getvalue().index("<svg") :]


def ratios(findings: list[Finding]) -> str:
    """Bars of an experiment's figures, coloured by whether what was to be shown is."""
    figure, axes = plt.subplots(figsize=(9, 0.6 + 0.32 * len(findings)), layout="constrained")
    colours = [{None: PLAIN, True: MET, False: MISSED}[finding.met] for finding in findings]
    bars = axes.barh([finding.what for finding in findings], [finding.value for finding in findings], color=colours)
    axes.bar_label(bars, fmt="%.3g", padding=3, fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.tick_params(labelsize=8)
    return _svg(figure)


def stalls(rows: list[dict], names: list[str]) -> str:
    """For each of an experiment's measurements what hart 0 waited for, in controller cycles for each line it read."""
    figure, axes = plt.subplots(figsize=(9, 0.9 + 0.32 * len(rows)), layout="constrained")
    found = [waits(row) for row in rows]
    left = [0.0] * len(rows)
    for cause, colour in zip(found[0], CAUSES, strict=True):
        widths = [each[cause] for each in found]
        axes.barh(names, widths, left=left, color=colour, label=cause.replace("_", " "))
        left = [at + width for at, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.tick_params(labelsize=8)
    axes.set_xlabel("controller cycles for each line read", fontsize=8)
    axes.legend(fontsize=7, ncols=len(CAUSES), loc="upper center", bbox_to_anchor=(0.5, -0.25))
    return _svg(figure)
