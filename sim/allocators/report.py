# SPDX-License-Identifier: Apache-2.0
"""The report of the experiments: a page with a table of what was found, plots, and every measurement."""

from __future__ import annotations

from pathlib import Path

import jinja2
import plots
from experiments import VARIED
from findings import Finding, findings, waits
from rich.table import Table

ABOUT = {
    "palloc": "A pointer chase on hart 0 beside neighbours that read and write at random, on harts of their own. "
    "PALLOC (Yun and others, RTAS 2014).",
    "bank bandwidth": "Loads that miss their rows, from one bank and from all; a peak is a line in each cycle.",
    "refresh": "Four pointer chases, each on its hart, beside chips of 32 Gb above 85 degrees in four ranks. "
    "Rank Assignment (Shevgoor and others, ISPASS 2016), Figures 7, 10 and 11.",
    "mapping error": "The same under staggered refresh, with pages put elsewhere on purpose (Figure 8).",
    "write drains by rank": "Four programs that read and write at random, with the timings of phase-change memory and "
    "water marks of each rank (Figure 9).",
    "write drains by channel": "The same with water marks of all ranks together, of which one after the other drains "
    "until it has no write left (after Figure 4).",
    "power": "Workloads of one and of four threads on two ranks, one of which draws half of what the other does. "
    "ViPZonE (Gottscho and others, 2015).",
}
"""What each experiment is, and its source."""

LEAST_CHANGE = 0.2
"""Controller cycles for each line by which a cause of waiting must differ to be told."""


def _name(row: dict) -> str:
    """A measurement in words: how its pages lay, and what was varied."""
    return ", ".join([row["placement"], *(f"{key} {row[key]}" for key in VARIED if key in row)])


def verdict(finding: Finding) -> str:
    """Whether what was to be shown is."""
    return {None: "", True: "met", False: "missed"}[finding.met]


def explanation(finding: Finding) -> str:
    """Where a figure is not as in its paper, or misses its bound: that it does so, and what the counters show as the
    cause. Nothing elsewhere."""
    said = []
    if finding.as_in_paper is False:
        share = finding.value / finding.paper - 1
        said.append(f"{abs(share):.0%} {'more' if share > 0 else 'less'} than the paper's {finding.paper:.3g}")
    if finding.met is False:
        said.append("not what was to be shown")
    if said and not finding.counted:
        said.append("what hart 0 waited for was not counted")
    elif said:
        here, there = map(waits, finding.counted)
        changes = sorted(here, key=lambda cause: -abs(here[cause] - there[cause]))
        causes = [
            f"{cause.replace('_', ' ')} {here[cause]:.1f}, not {there[cause]:.1f}"
            for cause in changes
            if abs(here[cause] - there[cause]) >= LEAST_CHANGE
        ]
        total = f"for each line it reads hart 0 waits {sum(here.values()):.1f} controller cycles, not"
        said.append(f"{total} {sum(there.values()):.1f}" + (f": {', '.join(causes)}" if causes else ""))
    return "; ".join(said)


def table(found: list[Finding]) -> Table:
    """The findings for a terminal."""
    shown = Table(title="What allocators gain that know banks and ranks")
    for heading in ("experiment", "figure", "measured", "to be shown", ""):
        shown.add_column(heading, justify="right" if heading == "measured" else "left")
    for each in found:
        style = {True: "green", False: "red", None: ""}[each.met]
        shown.add_row(each.experiment, each.what, f"{each.value:.3f}", each.aim, verdict(each), style=style)
    return shown


def write(rows: list[dict], path: Path) -> list[Finding]:
    """Write the page; returns what it says."""
    found = findings(rows)
    sections = []
    for experiment, about in ABOUT.items():
        here = [row for row in rows if row["experiment"] == experiment]
        figures = [each for each in found if each.experiment == experiment]
        if not here:
            continue
        columns = list(dict.fromkeys(key for row in here for key in row if key != "experiment"))
        waiting = [row for row in here if "line_reads" in row]
        sections.append(
            {
                "title": experiment.capitalize(),
                "about": about,
                "findings": figures,
                "plots": [
                    *([plots.ratios(figures)] if figures else []),
                    *([plots.stalls(waiting, [_name(row) for row in waiting])] if waiting else []),
                ],
                "columns": columns,
                "rows": here,
            }
        )
    page = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = page.from_string(Path(__file__).with_name("report.html.jinja").read_text())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(template.render(sections=sections, verdict=verdict, explanation=explanation))
    return found
