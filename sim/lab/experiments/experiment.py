# SPDX-License-Identifier: Apache-2.0
"""Runs of the lab: a program, where the kernel put its pages, the machine, the refresh policy, and several starts.

usage: experiment.py MACHINE POLICY PLACEMENT PROGRAM SEED,... FOLDER [--accesses N] [--fill N] [--warm-up N]
                     [--instructions N] [--warm-up-instructions N] [--start-within N] [--traces FOLDER]
Names are those of machines.yaml, policies.yaml, ../programs/placements.yaml and ../programs/programs.yaml; the lab of
the machine's config and the traces, FOLDER/PLACEMENT/PROGRAM, have to be there (`make`). The machine has a core for
each trace. Each seed's run is written into FOLDER/SEED.json: what was run, with what, and what was measured
(../README.md). With the record's `system` in a file system.yaml of the folder that the run was started in, its
`command` repeats the run there. Exit code 2 for wrong arguments, 1 when a run fails or cannot be recorded.
"""

from __future__ import annotations

import argparse
import functools
import json
import platform
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, fields
from pathlib import Path

import choices
import counters
import records
import yaml

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
TRACES = BUILD / "lab/traces"
"""Where the Makefile captures to."""
sys.path.append(str(ROOT / "sim" / "lab" / "programs"))
sys.path.append(str(ROOT / "sim" / "bench"))
import placements  # noqa: E402
import registers  # noqa: E402
import tables  # noqa: E402
import workloads  # noqa: E402

SYSTEM = "system.yaml"
"""What a record's command calls the file of its system."""
MOST = 1 << 48
"""What each number of a region may be at most (../machine/lab.cpp)."""
MOST_SEED = (1 << 64) - 1


class RunError(Exception):
    """A run that failed, or that cannot be made; says why."""


def _number(default: int, least: int, what: str) -> int:
    """A field of a region: what it is where nothing is said, and at least."""
    return field(default=default, metadata={"least": least, "help": what})


@dataclass(frozen=True)
class Region:
    """What is measured: so many accesses of DRAM or instructions of all cores, whichever comes first, after a warm-up
    that ends alike; before these, `fill` accesses of each trace fill the caches. The traces begin up to `start_within`
    accesses after their begin, as the seed says."""

    accesses: int = _number(80_000, 1, "of DRAM, measured")
    instructions: int = _number(40_000_000, 1, "of all cores, measured at most")
    warm_up: int = _number(20_000, 0, "accesses, before; 0: no bound")
    warm_up_instructions: int = _number(8_000_000, 0, "before, at most; 0: no bound")
    fill: int = _number(1_000_000, 0, "of each trace, that fill the caches first")
    start_within: int = _number(1_000_000, 1, "of each trace, before the start")


LEAST = {each.name: each.metadata["least"] for each in fields(Region)}
"""What each number of a region must be at least."""


@dataclass(frozen=True)
class Run:
    machine: choices.Machine
    policy: choices.Policy
    placement: placements.Placement
    program: str
    """A workload (../programs/workloads.py)."""
    seed: int
    captured: Path
    """Folder of the traces of all placements and programs."""

    @property
    def folder(self) -> Path:
        return self.captured / self.placement.name / self.program

    @functools.cached_property
    def capture(self) -> dict:
        """What capture.py recorded. Raises RecordError where it is not there or is damaged."""
        path = self.folder / "record.json"
        if not path.is_file() and self.captured == TRACES:
            target = f"build/lab/traces/{self.placement.name}/{self.program}/record.json"
            raise records.RecordError(f"{path}: there is none; make {target} makes it")
        found = records.read(path, {"traces": list, "contents": list, "preferred_ranks": list})
        traces, contents, ranks = found["traces"], found["contents"], found["preferred_ranks"]
        if not traces or not all(isinstance(trace, str) for trace in traces):
            raise records.RecordError(f"{path}: traces must be names of files, at least one")
        for name, of_harts in (("contents", contents), ("preferred_ranks", ranks)):
            if len(of_harts) != len(traces):
                raise records.RecordError(
                    f"{path}: {name} is of {len(of_harts)} harts: must be of {len(traces)}, as traces"
                )
        for hart, of_hart in enumerate(contents):
            where = f"{path}: contents of hart {hart}"
            if records.fields(where, of_hart, {"pages": int, "kernel": int, "accesses": int})["accesses"] == 0:
                raise records.RecordError(f"{where}: accesses 0: must be at least 1")
        if not all(rank is None or type(rank) is int for rank in ranks):
            raise records.RecordError(f"{path}: preferred_ranks must be numbers or null")
        return found

    def traces(self) -> list[Path]:
        """One of each core. Raises RecordError where the capture is not there or is damaged."""
        return [self.folder / name for name in self.capture["traces"]]


def rdl(run: Run) -> Path:
    """What the generator says of the registers of a run's Weir."""
    return BUILD / "hw" / run.machine.config / "Weir.rdl"


def parameters(run: Run, kinds: dict[str, type]) -> dict:
    """What the generator says of a run's Weir, of which these must be there. Raises RecordError."""
    return records.read(rdl(run).with_name("Weir.json"), kinds)


def models(run: Run) -> list[str]:
    """The names of the DRAM models, one of each channel, with which their plusargs begin. Raises RecordError."""
    return [f"dram{channel or ''}" for channel in range(parameters(run, {"channels": int})["channels"])]


def system(machine: choices.Machine, cores: int) -> dict:
    """The machine's system with its own fields, for so many cores and the guest's addresses. Raises RunError for an
    unknown field, TableError for a file of the system that is no YAML."""
    read = tables.read_yaml(machine.system)
    of_traces = dict(zip(choices.OF_TRACES, (cores, placements.GUEST_MEMORY), strict=True))
    for name, value in {**machine.fields, **of_traces}.items():
        *path, last = name.split(".")
        place = read
        for word in path:
            place = place.get(word) if isinstance(place, dict) else None
        if not isinstance(place, dict) or last not in place:
            raise RunError(f"machine {machine.name}: {machine.system} has no field {name}")
        place[last] = value
    return read


def register_words(rdl: Path, machine: choices.Machine, policy: choices.Policy) -> list[tuple[int, int]]:
    """Byte offsets and words of the registers that a machine and a policy set. Raises RunError for a field that both
    set, ValueError as registers.words."""
    of_machine = {registers.full(name): name for name in machine.registers}
    for name in policy.registers:
        if (other := of_machine.get(registers.full(name))) is not None:
            raise RunError(
                f"machines.yaml: {machine.name}.registers.{other} and policies.yaml: {policy.name}.registers.{name} set"
                " the same field: must be one of them"
            )
    return registers.words(rdl, {**machine.registers, **policy.registers})


def command(run: Run, region: Region) -> list[str]:
    """The lab and its options, the system's file being SYSTEM. Raises RecordError for a capture that is not there,
    RunError and ValueError as register_words."""
    words = register_words(rdl(run), run.machine, run.policy)
    options = {
        "system": SYSTEM,
        "traces": ",".join(f"weir:{trace}" for trace in run.traces()),
        "seed": run.seed,
        "registers": ",".join(f"{address:#x}={word:#x}" for address, word in words),
        "counters": counters.layout(rdl(run)).option,
        **{name.replace("_", "-"): number for name, number in vars(region).items()},
    }
    words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
    features = [f"+{model}_features={run.policy.dram}" for model in models(run) if run.policy.dram]
    return [str(BUILD / "lab" / run.machine.config / "lab"), *words, *features]


def commit() -> str:
    """What is checked out, with a + where files differ from it; empty outside of a repository."""
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty=+"], capture_output=True, text=True)
    return done.stdout.strip()


def plan(run: Run, region: Region) -> dict:
    """The record of a run but for its `result`. Raises RunError, RecordError, TableError."""
    try:
        words = command(run, region)
    except FileNotFoundError as error:
        raise RunError(f"{error.filename}: there is none; make build/lab/{run.machine.config}/lab makes it") from None
    except (OSError, ValueError) as error:
        raise RunError(str(error)) from None
    return {
        "machine": run.machine.name,
        "config": run.machine.config,
        "policy": run.policy.name,
        "placement": run.placement.name,
        "program": run.program,
        "seed": run.seed,
        "region": vars(region),
        "commit": commit(),
        "python": platform.python_version(),
        "system": system(run.machine, len(run.traces())),
        "command": words,
    }


def measure(run: Run, planned: dict) -> dict:
    """The `result` of a run. Raises RunError."""
    with tempfile.TemporaryDirectory() as folder:
        system_file = Path(folder) / SYSTEM
        system_file.write_text(yaml.safe_dump(planned["system"]))
        words = [str(system_file) if word == SYSTEM else word for word in planned["command"]]
        try:
            done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise RunError(str(error)) from None
    if done.returncode != 0 and str(system_file) in done.stderr:
        # its lines are not those of the file that it was made of
        told = re.sub(rf"{re.escape(str(system_file))}(:\d+)?", str(run.machine.system), done.stderr).strip()
        raise RunError(f"machine {run.machine.name}: {told.removeprefix('lab: ')}")
    if done.returncode != 0:
        raise RunError(f"{' '.join(planned['command'])}\nended with exit code {done.returncode}:\n{done.stderr}")
    result = json.loads(done.stdout.splitlines()[0])
    names = counters.layout(rdl(run)).names
    of_harts = zip(result["cores"], run.capture["contents"], run.capture["preferred_ranks"], strict=True)
    for core, contents, rank in of_harts:
        core["pages"], core["preferred_rank"] = contents["pages"], rank
        core["kernel_share"] = contents["kernel"] / contents["accesses"]
    result["counters"] = {name: count for name, count in zip(names, result["counters"], strict=True) if count}
    return result


def _seeds(text: str) -> list[int]:
    numbers = text.split(",")
    if not all(number.isdecimal() for number in numbers):
        raise argparse.ArgumentTypeError(f"{text}: must be whole numbers of at least 0, with commas between")
    seeds = [int(number) for number in numbers]
    if len(set(seeds)) != len(seeds):
        raise argparse.ArgumentTypeError(f"{text}: each must be there once")
    if max(seeds) > MOST_SEED:
        raise argparse.ArgumentTypeError(f"{max(seeds)}: must be at most {MOST_SEED}")
    return seeds


def add_setting(parser: argparse.ArgumentParser) -> None:
    """Adds what a run is of, but for its start."""
    parser.add_argument("machine", help="a name in machines.yaml")
    parser.add_argument("policy", help="a name in policies.yaml")
    parser.add_argument("placement", help="a name in ../programs/placements.yaml")
    parser.add_argument("program", help="a name in ../programs/programs.yaml, or another of workloads.py")
    parser.add_argument("--traces", type=Path, default=TRACES, help="folder (default %(default)s)")


def named(parser: argparse.ArgumentParser, what: str, name: str, known: dict) -> object:
    """What is known by a name; a wrong one ends the program."""
    if name not in known:
        parser.error(f"{name}: no such {what}; there are {', '.join(known)}")
    return known[name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_setting(parser)
    parser.add_argument("seeds", type=_seeds, help="which starts, numbers of at least 0 with commas between")
    parser.add_argument("folder", type=Path, help="where the JSON files go")
    for each in fields(Region):
        what = f"{each.metadata['help']} (default %(default)s)"
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=int, default=each.default, help=what)
    options = parser.parse_args()
    for name, least in LEAST.items():
        if not least <= getattr(options, name) <= MOST:
            parser.error(f"--{name.replace('_', '-')} {getattr(options, name)}: must be from {least} to {MOST}")
    region = Region(**{name: getattr(options, name) for name in LEAST})
    try:
        machine = named(parser, "machine", options.machine, choices.machines())
        policy = named(parser, "policy", options.policy, choices.policies())
        placement = named(parser, "placement", options.placement, placements.load())
        program = named(parser, "program", options.program, workloads.load()).name
        runs = [Run(machine, policy, placement, program, seed, options.traces) for seed in options.seeds]
        planned = {options.folder / f"{run.seed}.json": (run, plan(run, region)) for run in runs}
        for path in planned:
            records.check_writable(path)
        for path, (run, record) in planned.items():
            result = measure(run, record)
            records.write(path, json.dumps({**record, "result": result}, indent=1) + "\n")
            accesses = result["reads"] + result["writes"]
            print(f"{path}: {accesses} DRAM accesses in {result['core_cycles']} core cycles")
    except (RunError, records.RecordError, tables.TableError) as error:
        print(f"experiment.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
