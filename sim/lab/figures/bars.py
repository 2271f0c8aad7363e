# SPDX-License-Identifier: Apache-2.0
"""Bars side by side: of each program one for each label, with its interval."""

from __future__ import annotations


def draw(rows: list[dict], labels: list[str], axes) -> None:
    """`rows` have program, setting (a label), mean, low, high, in the order of the programs."""
    programs = list(dict.fromkeys(row["program"] for row in rows))
    width = 0.8 / len(labels)
    for number, label in enumerate(labels):
        of_label = [row for row in rows if row["setting"] == label]
        places = [at + (number - (len(labels) - 1) / 2) * width for at in range(len(programs))]
        spread = [
            [row["mean"] - row["low"] if row["low"] is not None else 0 for row in of_label],
            [row["high"] - row["mean"] if row["high"] is not None else 0 for row in of_label],
        ]
        axes.bar(places, [row["mean"] for row in of_label], width, yerr=spread, label=label, error_kw={"lw": 0.7})
    axes.set_xticks(range(len(programs)), programs, rotation=45, ha="right")
    axes.legend(fontsize="small", ncols=2)
