# SPDX-License-Identifier: Apache-2.0
"""How many ranks are refreshed at once, by the DRAM's own command traces: shares of the time with none, one, and so on.

usage: refresh_overlap.py MACHINE POLICY,... PLACEMENT PROGRAM,... [--seed N]
Exit code 1 where a run fails, 2 for a wrong word.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import choices
import experiment
import numpy
import placements
import records
import shown
import tables
import workloads
from rich.table import Table

# before Python's own module of that name
sys.path.insert(0, str(experiment.ROOT / "sim" / "dram"))
import trace

REFRESH = trace.COMMANDS.index("REF")


def refresh_time(run: experiment.Run) -> int:
    """DRAM clocks for which a rank is refreshed by a command."""
    timing = experiment.parameters(run, {"timing": dict})["timing"]
    name = ("tRFC", "tRFC2", "tRFC4")[run.policy.registers.get("refresh_granularity", 0)]
    return run.policy.registers.get(name, timing[name])


def shares(starts: list[int], length: int, ranks: int, end: int) -> list[float]:
    """Of the clocks below `end` the shares in which 0 to `ranks` refreshes are under way, which begin at `starts` and
    take `length` clocks."""
    under_way = numpy.zeros(end + length + 1, numpy.int16)
    for start in starts:
        under_way[start] += 1
        under_way[start + length] -= 1
    at_once = numpy.cumsum(under_way)[:end]
    return [float((at_once == count).mean()) for count in range(ranks + 1)]


def measured(run: experiment.Run) -> list[float]:
    """`shares` of a run from its begin to its end. Raises RunError, RecordError, TableError, ValueError."""
    planned = experiment.plan(run, experiment.Region())
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / model for model in experiment.models(run)]
        words = [f"+{path.name}_trace={path}" for path in paths]
        experiment.measure(run, {**planned, "command": [*planned["command"], *words]})
        starts, ranks, end = [], 0, 0
        for path in paths:
            channel, commands = trace.read(path)
            ranks += channel.ranks
            for command in commands:
                end = max(end, command.clock)
                if command.command == REFRESH:
                    starts.append(command.clock)
    return shares(starts, refresh_time(run), ranks, end)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="policy and program may be several, with commas between"
    )
    experiment.add_setting(parser)
    parser.add_argument("--seed", type=int, default=1, help="which start (default %(default)s)")
    options = parser.parse_args()
    table = Table("program", "policy", "any", "of the time; none, one, and more ranks refreshed at once")
    try:
        machine = experiment.named(parser, "machine", options.machine, choices.machines())
        placement = experiment.named(parser, "placement", options.placement, placements.load())
        known = choices.policies()
        policies = [experiment.named(parser, "policy", name, known) for name in options.policy.split(",")]
        known = workloads.load()
        programs = [experiment.named(parser, "program", name, known).name for name in options.program.split(",")]
        for program in programs:
            for policy in policies:
                found = measured(experiment.Run(machine, policy, placement, program, options.seed, options.traces))
                each = "  ".join(f"{share:.1%}" for share in found)
                table.add_row(program, policy.name, f"{1 - found[0]:.1%}", each)
    except (experiment.RunError, records.RecordError, tables.TableError, ValueError) as error:
        print(f"refresh_overlap.py: {error}", file=sys.stderr)
        return 1
    shown.show(table, width=120)
    return 0


if __name__ == "__main__":
    sys.exit(main())
