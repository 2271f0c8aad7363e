# SPDX-License-Identifier: Apache-2.0
"""Run the head to head: every point of a matrix on Weir and on LiteDRAM, two simulations at a time.

Writes build/results/traffic.json (see `row`), prints a table and draws build/results/traffic.svg and .png. The exit
code is 1 when a controller returned a wrong datum or response or hung, or when Weir broke a protocol rule or starved a
port.

usage: run.py [--matrix quick|board|usual|full] [--seed N] [--output DIR]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import plot
import table
from bound import bound, bytes_per_clock
from matrix import DEFAULT_SYSTEM, MATRICES, Point, points
from rich.console import Console
from systems import SYSTEMS, System

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "bench"), str(ROOT / "sim" / "progress")]
import registers  # noqa: E402
from runs import Failed, as_they_end  # noqa: E402

CONTROLLERS = ("weir", "litedram")

# The warm-up lasts ten refresh intervals, until a controller that puts refreshes off owes as many as it ever will, and
# the window 32.
WARM_UP_INTERVALS, WINDOW_INTERVALS = 10, 32

# Controller cycles after which a port of Weir counts as starved: more than all accesses that it holds may take.
LONGEST_SILENCE = 6000


def interval_cycles(system: System) -> int:
    """Controller cycles of a refresh interval (tREFI)."""
    return round(system.part.trefi / system.part.tck / system.phases)


def program(controller: str, point: Point) -> Path:
    return ROOT / "build/traffic" / f"{controller}-{SYSTEMS[point.system].of(controller)}-p{point.ports}" / "traffic"


def weir_config(point: Point) -> Path:
    """Where the generator left what it says of the Weir of a point."""
    return ROOT / "build/hw" / SYSTEMS[point.system].weir_config(point.ports)


def words(point: Point, fields: dict[str, int]) -> tuple[tuple[int, int], ...]:
    """Offsets and words that set register fields of the Weir of a point (see registers.words)."""
    return tuple(registers.words(weir_config(point) / "Weir.rdl", fields))


def simulate(
    controller: str,
    point: Point,
    seed: int,
    registers: tuple[tuple[int, int], ...] = (),
    features: str = "",
    times: int = 1,
) -> dict:
    """What the program of a controller measures at a point; Failed with its last words. `registers` are offsets and
    words that are written before (Weir only; registers.py finds them by name); the DRAM has `features`. It all lasts
    `times` as long as usual, where the memory is slower."""
    system = SYSTEMS[point.system]
    interval = interval_cycles(system)
    options = {
        "pattern": point.pattern,
        "ids": point.ids,
        "burst-bytes": point.burst_bytes,
        "seed": seed,
        "warmup": times * WARM_UP_INTERVALS * interval,
        "window": times * WINDOW_INTERVALS * interval,
    }
    if registers:
        options["registers"] = ",".join(f"{address:#x}={word:#x}" for address, word in registers)
    command = [str(program(controller, point))] + [
        text for name, value in options.items() for text in (f"--{name}", str(value))
    ]
    if features := ",".join(filter(None, (system.features, features))):
        command.append(f"+dram_features={features}")
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(f"{' '.join(command)}\nended with exit code {ended.returncode}:\n{ended.stderr}")
    return json.loads(ended.stdout.splitlines()[0])


def row(controller: str, point: Point, measured: dict) -> dict:
    """One row of traffic.json. Efficiency and bound are shares of the data bus's peak, latencies DRAM clocks from the
    AR handshake to the first R beat (None without reads), of the `read_latency_samples` reads that the pattern is there
    to measure. `bystander_read_latency_mean` is that of all ids but 0.
    `longest_silence`: the most controller cycles in which a port had bursts in flight and saw no handshake;
    `oldest_read_wait`: the most in which a read was the oldest in flight."""
    system = SYSTEMS[point.system]
    most, limit = bound(system, point.pattern, point.ports, point.ids, point.burst_bytes)
    useful = measured["read_bytes"] + measured["written_bytes"]

    def clocks(latency: dict, key: str) -> float | None:
        return round(latency[key] * system.phases, 2) if latency["count"] else None

    return {
        "config": point.system,
        "pattern": point.pattern,
        "controller": controller,
        "ports": point.ports,
        "ids": point.ids,
        "burst_bytes": point.burst_bytes,
        "efficiency": round(useful / (measured["window"] * system.phases * bytes_per_clock(system)), 5),
        "bound": round(most, 5),
        "bound_by": limit,
        "read_latency_mean": clocks(measured["read_latency"], "mean"),
        "read_latency_p99": clocks(measured["read_latency"], "p99"),
        "read_latency_least": clocks(measured["read_latency"], "least"),
        "read_latency_most": clocks(measured["read_latency"], "most"),
        "read_latency_samples": measured["read_latency"]["count"],
        "bystander_read_latency_mean": clocks(measured["bystander_read_latency"], "mean"),
        "bystander_read_latency_most": clocks(measured["bystander_read_latency"], "most"),
        "longest_silence": measured["longest_silence"],
        "oldest_read_wait": measured["oldest_read_wait"],
        "violations": measured["violations"],
        "cycles": measured["cycles"],
        "checked_bytes": measured["checked_bytes"],
    }


def together(title: str, jobs: list[tuple], work: Callable[..., dict], console: Console) -> tuple[dict, list[str]]:
    """`work(*job)` of every job by its job, and what failed (runs.py)."""
    failures: list[str] = []
    done = dict(as_they_end(title, jobs, work, console, failures))
    return done, failures


def settings(controller: str, point: Point) -> tuple[tuple[int, int], ...]:
    """Offsets and words of registers that are set for a point. A read that is alone finds no other row of its bank open
    where Weir closes rows by itself, so for `idle_row_conflict` it leaves them open; all else is at reset values. A
    config of its own may have the open policy alone, and no register to choose it."""
    if controller != "weir" or point.pattern != "idle_row_conflict" or SYSTEMS[point.system].preset:
        return ()
    return words(point, {"row_policy": 0})


def run(matrix: list[Point], seed: int, console: Console) -> tuple[list[dict], list[str]]:
    """The rows in the order of the matrix, Weir's before LiteDRAM's, and what failed."""
    jobs = {
        (controller, point): (
            controller,
            # LiteDRAM's core is the same in several systems, and measured once
            replace(point, system=SYSTEMS[point.system].of(controller)),
            seed,
            settings(controller, point),
        )
        for point in matrix
        for controller in CONTROLLERS
    }
    measured, failures = together("traffic", list(dict.fromkeys(jobs.values())), simulate, console)
    return [row(*at, measured[job]) for at, job in jobs.items() if job in measured], failures


def faults(rows: list[dict]) -> list[str]:
    """What Weir must never do, row by row: break the protocol or starve a port."""
    weirs = [row for row in rows if row["controller"] == "weir"]
    broken = [f"Weir broke the protocol: {row}" for row in weirs if row["violations"]]
    return broken + [f"Weir starved a port: {row}" for row in weirs if row["longest_silence"] > LONGEST_SILENCE]


def not_built(jobs: list[tuple[str, Point]]) -> list[str]:
    """The programs that these controllers and points need and that are not there."""
    return sorted({str(path) for controller, point in jobs if not (path := program(controller, point)).exists()})


def terminal() -> Console:
    """The console; wide enough for the tables where the output is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=120)


def results(rows: list[dict], matrix: str, seed: int) -> dict:
    """The whole of traffic.json: `config` describes the default system, `configs` all that rows name."""
    used = dict.fromkeys(row["config"] for row in rows)
    return {
        "config": SYSTEMS[DEFAULT_SYSTEM].describe(),
        "configs": {name: SYSTEMS[name].describe() for name in used},
        "matrix": matrix,
        "seed": seed,
        "rows": rows,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matrix", choices=MATRICES, default="usual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=ROOT / "build/results")
    arguments = parser.parse_args()

    console = terminal()
    matrix = points(arguments.matrix)
    if missing := not_built([(controller, point) for controller in CONTROLLERS for point in matrix]):
        console.print(f"Not built: {', '.join(missing)}; `make traffic` builds them.", soft_wrap=True)
        return 2
    rows, failures = run(matrix, arguments.seed, console)
    wrong = faults(rows)
    for complaint in failures + wrong:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    if failures:
        return 1

    found = results(rows, arguments.matrix, arguments.seed)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "traffic.json").write_text(json.dumps(found, indent=1) + "\n")
    console.print(table.table(rows))
    console.print(table.violations(rows))
    plot.draw(found, arguments.output)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
