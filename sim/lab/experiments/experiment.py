# SPDX-License-Identifier: Apache-2.0
"""Runs of the lab: a program, where the kernel put its pages, the machine, the refresh policy, and several starts.

usage: experiment.py MACHINE POLICY PLACEMENT PROGRAM SEED,... FOLDER [--accesses N] [--fill N] [--warm-up N]
                     [--instructions N] [--warm-up-instructions N] [--start-within N] [--traces FOLDER]
Names are those of machines.yaml, policies.yaml, ../programs/placements.yaml and ../programs/programs.yaml; the lab of
the machine's config and the traces, FOLDER/PLACEMENT/PROGRAM, have to be there (`make`). The machine has a core for
each trace. Each seed's run is written into FOLDER/SEED.json: what was run, with what, and what was measured
(../README.md). Exit code 2 for wrong arguments, 1 when a run fails.
"""

from __future__ import annotations

import argparse
import functools
import json
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, fields
from pathlib import Path

import choices
import counters
import yaml

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
sys.path.append(str(ROOT / "sim" / "lab" / "programs"))
sys.path.append(str(ROOT / "sim" / "bench"))
import placements  # noqa: E402
import registers  # noqa: E402
import tables  # noqa: E402
import workloads  # noqa: E402


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
        """What capture.py recorded. Raises RunError where it is not there."""
        try:
            return json.loads((self.folder / "record.json").read_text())
        except OSError as error:
            raise RunError(f"{error.filename}: {error.strerror}: make it first") from None

    def traces(self) -> list[Path]:
        """One of each core. Raises RunError where they are not there."""
        return [self.folder / name for name in self.capture["traces"]]


def rdl(run: Run) -> Path:
    """What the generator says of the registers of a run's Weir."""
    return BUILD / "hw" / run.machine.config / "Weir.rdl"


def system(machine: choices.Machine, cores: int) -> dict:
    """The machine's system with its own fields, for so many cores and the guest's addresses. Raises RunError for an
    unknown field."""
    read = yaml.safe_load(machine.system.read_text())
    of_traces = {"cores.count": cores, "memory.base": placements.GUEST_MEMORY}
    for name, value in {**machine.fields, **of_traces}.items():
        *path, last = name.split(".")
        place = read
        for word in path:
            place = place.get(word) if isinstance(place, dict) else None
        if not isinstance(place, dict) or last not in place:
            raise RunError(f"machine {machine.name}: {machine.system} has no field {name}")
        place[last] = value
    return read


def command(run: Run, region: Region, system_file: Path) -> list[str]:
    """The lab and its options. Raises RunError for traces that are not there, ValueError for an unknown register."""
    words = registers.words(rdl(run), {**run.machine.registers, **run.policy.registers})
    latch, first, names = counters.layout(rdl(run))
    options = {
        "system": system_file,
        "traces": ",".join(f"weir:{trace}" for trace in run.traces()),
        "seed": run.seed,
        "registers": ",".join(f"{address:#x}={word:#x}" for address, word in words),
        "counters": f"{latch:#x}:{first:#x}:{len(names)}",
        **{name.replace("_", "-"): number for name, number in vars(region).items()},
    }
    words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
    channels = json.loads(rdl(run).with_name("Weir.json").read_text())["channels"]
    # the models of the channels are called dram, dram1, ...
    models = [f"dram{channel or ''}" for channel in range(channels)]
    features = [f"+{model}_features={run.policy.dram}" for model in models if run.policy.dram]
    return [str(BUILD / "lab" / run.machine.config / "lab"), *words, *features]


def commit() -> str:
    """What is checked out, with a + where files differ from it; empty outside of a repository."""
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty=+"], capture_output=True, text=True)
    return done.stdout.strip()


def measure(run: Run, region: Region) -> dict:
    """The record of a run. Raises RunError."""
    with tempfile.TemporaryDirectory() as folder:
        system_file = Path(folder) / "system.yaml"
        system_file.write_text(yaml.safe_dump(system(run.machine, len(run.traces()))))
        try:
            words = command(run, region, system_file)
            done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        except (OSError, ValueError) as error:
            raise RunError(str(error)) from None
    if done.returncode != 0:
        raise RunError(f"{' '.join(words)}\nended with exit code {done.returncode}:\n{done.stderr}")
    result = json.loads(done.stdout.splitlines()[0])
    names = counters.layout(rdl(run)).names
    of_harts = zip(result["cores"], run.capture["contents"], run.capture["preferred_ranks"], strict=True)
    for core, contents, rank in of_harts:
        core["pages"], core["preferred_rank"] = contents["pages"], rank
        core["kernel_share"] = contents["kernel"] / contents["accesses"]
    result["counters"] = {name: count for name, count in zip(names, result["counters"], strict=True) if count}
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
        "command": words,
        "result": result,
    }


def _seeds(text: str) -> list[int]:
    numbers = text.split(",")
    if not all(number.isdecimal() for number in numbers):
        raise argparse.ArgumentTypeError(f"{text}: must be whole numbers of at least 0, with commas between")
    return [int(number) for number in numbers]


def _write(path: Path, record: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(record, indent=1) + "\n")
    new.replace(path)


def _named(parser: argparse.ArgumentParser, what: str, name: str, known: dict) -> object:
    if name not in known:
        parser.error(f"{name}: no such {what}; there are {', '.join(known)}")
    return known[name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("machine", help="a name in machines.yaml")
    parser.add_argument("policy", help="a name in policies.yaml")
    parser.add_argument("placement", help="a name in ../programs/placements.yaml")
    parser.add_argument("program", help="a name in ../programs/programs.yaml, or another of workloads.py")
    parser.add_argument("seeds", type=_seeds, help="which starts, numbers of at least 0 with commas between")
    parser.add_argument("folder", type=Path, help="where the JSON files go")
    for each in fields(Region):
        what = f"{each.metadata['help']} (default %(default)s)"
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=int, default=each.default, help=what)
    parser.add_argument("--traces", type=Path, default=BUILD / "lab/traces", help="folder (default %(default)s)")
    options = parser.parse_args()
    for name, least in LEAST.items():
        if getattr(options, name) < least:
            parser.error(f"{name.replace('_', '-')} {getattr(options, name)}: must be at least {least}")
    region = Region(**{name: getattr(options, name) for name in LEAST})
    try:
        machine = _named(parser, "machine", options.machine, choices.machines())
        policy = _named(parser, "policy", options.policy, choices.policies())
        placement = _named(parser, "placement", options.placement, placements.load())
        program = _named(parser, "program", options.program, workloads.load()).name
        for seed in options.seeds:
            run = Run(machine, policy, placement, program, seed, options.traces)
            _write(options.folder / f"{seed}.json", measure(run, region))
    except (RunError, tables.TableError) as error:
        print(f"experiment.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
