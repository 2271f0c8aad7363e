# SPDX-License-Identifier: Apache-2.0
"""Whom refreshes stall under a placement, and how far reads leave a core's rank, by Weir's counters in runs' records.

usage: refresh_stalls.py MACHINE POLICY PLACEMENT,... [PROGRAM,...] [--runs FOLDER]
The runs have to be there, one at least of each program (`make figures` has them made). Without PROGRAM it is all that
have runs in the first placement.
A line for each placement: means over the programs. Exit code 1 where a run is not there or is damaged, 2 for a wrong
word.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

import choices
import experiment
import measured
import placements
import programs
import records
import shown
import tables
from rich.table import Table

WHAT = (
    "% of refreshes that stall a core",
    "% of reads elsewhere than in the core's first rank",
    "cycles that a read waits for refreshes",
    "for banks",
    "for the bus",
    "% of row hits",
)
OF_CORE = re.compile(r"source_rank\[(\d+)\]\[(\d+)\]\.(\w+)$")


def stalls(result: dict) -> list[float]:
    """WHAT of a run, over all cores; cycles are the controller's. A core's first rank is that of most of its reads."""
    counters = result["counters"]
    refreshes = sum(count for path, count in counters.items() if re.fullmatch(r"rank\[\d+\]\.refreshes", path))
    of_event: dict[str, int] = defaultdict(int)
    reads: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for path, count in counters.items():
        if of := OF_CORE.match(path):
            core, rank, event = of.groups()
            of_event[event] += count
            if event in measured.READS:
                reads[core][rank] += count
    all_reads = max(sum(sum(of_rank.values()) for of_rank in reads.values()), 1)
    first = sum(max(of_rank.values()) for of_rank in reads.values())
    return [
        100 * of_event["stalled_by_refreshes"] / max(refreshes, 1) / len(result["cores"]),
        100 * (all_reads - first) / all_reads,
        of_event["stalls_refresh"] / all_reads,
        of_event["stalls_bank"] / all_reads,
        (of_event["stalls_bus"] + of_event["stalls_turnaround"]) / all_reads,
        100 * of_event["read_hits"] / all_reads,
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="placement and program may be several, with commas between"
    )
    parser.add_argument("machine", help="a name in machines.yaml")
    parser.add_argument("policy", help="a name in policies.yaml")
    parser.add_argument("placement", help="a name in ../programs/placements.yaml")
    parser.add_argument("program", nargs="?", help="a name in ../programs/programs.yaml (default: all that have runs)")
    parser.add_argument("--runs", type=Path, default=experiment.BUILD / "lab/runs", help="folder (default %(default)s)")
    options = parser.parse_args()
    table = Table("", *WHAT)
    try:
        machine = experiment.named(parser, "machine", options.machine, choices.machines()).name
        policy = experiment.named(parser, "policy", options.policy, choices.policies()).name
        known = programs.load()
        of_policy = options.runs / machine / policy
        where = options.placement.split(",")
        for placement in where:
            experiment.named(parser, "placement", placement, placements.load())
        if options.program is None:
            names = [name for name in known if (of_policy / where[0] / name).is_dir()]
        else:
            names = [experiment.named(parser, "program", name, known).name for name in options.program.split(",")]
        if not names:
            raise records.RecordError(f"{of_policy / where[0]}: has no runs of a program")
        for placement in where:
            found = measured.mean([measured.mean_of_runs(of_policy / placement / name, stalls) for name in names])
            table.add_row(placement, *(f"{value:.1f}" for value in found))
    except (records.RecordError, tables.TableError) as error:
        print(f"refresh_stalls.py: {error}", file=sys.stderr)
        return 1
    shown.show(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
