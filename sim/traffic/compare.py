# SPDX-License-Identifier: Apache-2.0
"""All that Weir is compared in: the head to head, the storms that try to starve a read, the refresh policies, and the
area and Fmax that make has measured before. Writes build/results/compare.json, .svg and .png and speed_over_area.svg
and .png, prints what was demanded and what was measured.

compare.json is traffic.json (`config`, `configs`, `matrix`, `seed`, `rows`) and, beside it, `area` (a row for each
core, see boards/area/collect.py), `area_device` and `area_seeds`, `own_clock` (a row for each traffic row of these
cores, own_clock.py), `starvation` (starvation.py), `refresh_policies` (refresh_policies.py) and `figures` (figures.py),
the demands with what was measured of each.

A missed figure is shown and does not end the run. The exit code is 1 only when a run failed: a wrong datum or response,
a hang, a protocol violation or a starved port of Weir's.

usage: compare.py AREA.json [--seed N] [--output DIR]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import area_plot
import compare_plot
import figures
import own_clock
import refresh_policies
import run
import starvation
import table
from matrix import Point, points
from rich.console import Console


def storms(console: Console) -> tuple[list[dict], list[str]]:
    """`starvation` of compare.json, and what failed."""
    chosen = {("weir", point, seed): "default" for point in starvation.POINTS for seed in starvation.SEEDS}
    for policy, fields in starvation.OTHER_POLICIES.items():
        for point in starvation.POINTS:
            chosen["weir", point, starvation.SEEDS[0], run.words(point, fields)] = policy
    measured, failures = run.together("storms", list(chosen), run.simulate, console)
    found = []
    for job, policy in chosen.items():
        if job in measured:
            config = json.loads((run.weir_config(job[1]) / "Weir.json").read_text())
            found.append(starvation.storm(job[1], job[2], measured[job], config, policy).describe())
    return found, failures


def measured_area(path: Path) -> dict:
    """The file that boards/area/collect.py writes. ValueError, which says what is wrong, where it is another."""
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: no JSON: {error}") from None
    if not isinstance(found, dict) or not all(key in found for key in ("device", "seeds", "area")):
        raise ValueError(f"{path}: must be an object with device, seeds and area, as collect.py writes it")
    if not isinstance(found["area"], list) or not all(isinstance(row, dict) for row in found["area"]):
        raise ValueError(f"{path}: area must be a list of objects, one of each core")
    cores = set()
    for row in found["area"]:
        core = row.get("core")
        if core in cores:
            raise ValueError(f"{path}: core '{core}' is there twice")
        cores.add(core)
        grades = [grade for grade in (6, 8) if f"fmax_speed{grade}_mhz" in row]
        numbers = ["lut_equivalents", "ff", "ebr", "dsp"]
        numbers += [f"fmax_speed{grade}_{kind}mhz" for grade in grades for kind in ("", "least_", "most_")]
        for name in numbers:
            value, may_be_none = row.get(name), name in ("ff", "ebr", "dsp")
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not (0 < value < math.inf or (value == 0 and may_be_none)):
                limit = "from 0 on" if may_be_none else "above 0"
                raise ValueError(f"{path}: {name} = {value} of core '{core}': must be a number {limit}")
    return found


def needed() -> list[tuple[str, Point]]:
    """Controllers and points that are simulated."""
    head_to_head = [(controller, point) for controller in run.CONTROLLERS for point in points("usual")]
    return [*head_to_head, *(("weir", point) for point in (*starvation.POINTS, *refresh_policies.POINTS))]


def results(head_to_head: dict, area: dict, starved: list[dict], refresh: list[dict]) -> dict:
    """The whole of compare.json."""
    found = {
        **head_to_head,
        "area": area["area"],
        "own_clock": own_clock.rows(head_to_head["rows"], area["area"]),
        "area_device": area["device"],
        "area_seeds": area["seeds"],
        "starvation": starved,
        "refresh_policies": refresh,
    }
    return {**found, "figures": [figure.describe() for figure in figures.figures(found)]}


def show(found: dict, console: Console) -> None:
    console.print(table.table(found["rows"]))
    console.print(table.violations(found["rows"]))
    console.print(figures.area_table(found["area"]))
    console.print(own_clock.table(found["own_clock"]))
    console.print(figures.refresh_table(found["refresh_policies"]))
    all_figures = figures.figures(found)
    console.print(figures.table(all_figures))
    console.print(f"{sum(figure.met for figure in all_figures)} of {len(all_figures)} figures met", highlight=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("area", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=run.ROOT / "build/results")
    arguments = parser.parse_args()

    console = run.terminal()
    if missing := run.not_built(needed()):
        console.print(f"Not built: {', '.join(missing)}; `make compare` builds them.", soft_wrap=True)
        return 2
    try:
        area = measured_area(arguments.area)
    except ValueError as error:
        console.print(str(error), markup=False, highlight=False, soft_wrap=True)
        return 2
    rows, failures = run.run(points("usual"), arguments.seed, console)
    starved, storms_failed = storms(console)
    refresh, policies_failed = refresh_policies.measure(console)
    failures += storms_failed + policies_failed
    wrong = run.faults(rows)
    for complaint in failures + wrong:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    if failures:
        return 1

    found = results(run.results(rows, "usual", arguments.seed), area, starved, refresh)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "compare.json").write_text(json.dumps(found, indent=1) + "\n")
    show(found, console)
    compare_plot.draw(found, arguments.output)
    area_plot.draw(found["own_clock"], arguments.output)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
