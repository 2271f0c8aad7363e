# SPDX-License-Identifier: Apache-2.0
"""What a program's reads wait for, alone and beside hostile copies, by Weir's counters in the records of runs.

usage: read_waits.py MACHINE POLICY PLACEMENT/alone|beside,... PROGRAM,... [--runs FOLDER]
The runs of PROGRAM_alone or PROGRAM_beside_stream in each placement have to be there, one at least
(../figures/palloc_*.py have them made). Means over them; the last line is that of the programs. Exit code 1 where one
is not there or is damaged, 2 for a wrong word.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import choices
import experiment
import measured
import placements
import programs
import records
import shown
import tables
import workloads
from rich.table import Table

CAUSES = ("bank", "bus", "turnaround", "write_drain", "refresh", "queue_full")
"""Of stalls, in cycles of the controller (docs/counters.md)."""
WHAT = ("LLC misses of 1000", "latency", "row hits", *CAUSES)
COMPANY = {"alone": workloads.alone, "beside": workloads.beside}
"""What runs of a program, by the word behind a placement."""


def of_first(counters: dict[str, int], name: str) -> int:
    """A counter of source 0 and all ranks, those of core 0."""
    return sum(
        count for path, count in counters.items() if path.startswith("source_rank[0]") and path.endswith(f".{name}")
    )


def waits(result: dict) -> list[float]:
    """WHAT of core 0: misses of the last-level cache per 1000 instructions, mean cycles of the controller from the
    request of a line to its data, the share of reads that hit an open row, and stalled cycles for each read."""
    core, counters = result["cores"][0], result["counters"]
    reads = max(sum(of_first(counters, name) for name in measured.READS), 1)
    stalls = [of_first(counters, f"stalls_{cause}") / reads for cause in CAUSES]
    misses = 1000 * core["llc_misses"] / core["instructions"]
    return [misses, core["read_latency"]["mean"], of_first(counters, "read_hits") / reads, *stalls]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="placement and program may be several, with commas between"
    )
    parser.add_argument("machine", help="a name in machines.yaml")
    parser.add_argument("policy", help="a name in policies.yaml")
    parser.add_argument("placement", help="a name in ../programs/placements.yaml, and alone or beside behind a slash")
    parser.add_argument("program", help="a name in ../programs/programs.yaml")
    parser.add_argument("--runs", type=Path, default=experiment.BUILD / "lab/runs", help="folder (default %(default)s)")
    options = parser.parse_args()
    try:
        machine = experiment.named(parser, "machine", options.machine, choices.machines()).name
        policy = experiment.named(parser, "policy", options.policy, choices.policies()).name
        known = programs.load()
        names = [experiment.named(parser, "program", name, known).name for name in options.program.split(",")]
        places = {f"{name}/{how}": (name, of) for name in placements.load() for how, of in COMPANY.items()}
        where = options.placement.split(",")
        found = []
        for placement, company in [experiment.named(parser, "placement", name, places) for name in where]:
            of_setting = options.runs / machine / policy / placement
            of_each = [measured.mean_of_runs(of_setting / company(name), waits) for name in names]
            found.append([*of_each, measured.mean(of_each)])
    except (records.RecordError, tables.TableError) as error:
        print(f"read_waits.py: {error}", file=sys.stderr)
        return 1
    table = Table("", *WHAT, title=", ".join(where))
    for name, of_program in zip([*names, "mean"], zip(*found, strict=True), strict=True):
        table.add_row(name, *(", ".join(f"{value:.2f}" for value in each) for each in zip(*of_program, strict=True)))
    shown.show(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
