#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the lab is: cores, caches and Weir's RTL beside the traffic bench on the same RTL, in turn, in one run.

The bench has random reads and writes, nine to one; the lab eight cores with random loads that all miss, a store to
every ninth line. Both keep the controller full, so that what differs is who drives it. Two labs run side by side, too,
with different seeds. Speeds are controller cycles per CPU second.

Writes build/results/lab-speed.json: `rows` with `who`, `run`, `cycles`, `seconds`, `accesses`; `bench_ratio`, the speed
of the lab by that of the bench, and `pair_ratio`, that of each of two labs by that of one, medians. Exit code 2 for
wrong arguments.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "sim" / "progress"))
from spoken import of_runs  # noqa: E402

LINE, APART = 64, 1 << 33
CYCLES, ACCESSES = 300_000, 200_000


def trace(path: Path) -> Path:
    """Random loads of 8 GiB, ten instructions apart; every ninth line is stored to."""
    draw = random.Random(1)
    with path.open("w") as file:
        for number in range(100_000):
            line = draw.randrange(APART // LINE) * LINE
            file.write(f"10 {line} {line}\n" if number % 9 == 0 else f"10 {line}\n")
    return path


def bench(program: Path, seed: int) -> dict:
    """Cycles and CPU seconds of the bench."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = ["--pattern", "random_9to1", "--ids", "16", "--warmup", "0", "--window", str(CYCLES), "--seed", str(seed)]
    done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    found = json.loads(done.stdout.splitlines()[0])
    accesses = (found["read_bytes"] + found["written_bytes"]) // LINE
    return {"cycles": found["cycles"], "seconds": seconds, "accesses": accesses}


def lab_words(program: Path, path: Path, seed: int) -> list:
    system = ROOT / "sim" / "lab" / "systems" / "rank-assignment.yaml"
    words = ["--system", system, "--traces", f"simple_o3:{path}@{APART}", "--accesses", ACCESSES, "--seed", seed]
    return [str(word) for word in (program, *words, "--start-within", 100_000)]


def labs(program: Path, path: Path, seeds: list[int]) -> list[dict]:
    """Cycles and CPU seconds of labs that run side by side."""
    running = [subprocess.Popen(lab_words(program, path, seed), stdout=subprocess.PIPE, text=True) for seed in seeds]
    rows = []
    for process in running:
        output, _ = process.communicate()
        if process.returncode != 0:
            sys.exit(f"lab.py: a lab ended with exit code {process.returncode}")
        found = json.loads(output)
        accesses = found["reads"] + found["writes"]
        rows.append({"cycles": found["all_cycles"], "seconds": found["cpu_seconds"], "accesses": accesses})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", type=Path, help="the traffic bench on a config of Weir")
    parser.add_argument("lab", type=Path, help="the lab on the same config")
    parser.add_argument("--runs", type=int, default=5, help="of each, in turn (default %(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: must be at least 1")
    console, rows = Console(), []
    with tempfile.TemporaryDirectory() as folder, of_runs("lab-speed", console) as progress:
        path = trace(Path(folder) / "trace")
        task = progress.add_task("lab-speed", total=options.runs)
        for run in range(1, options.runs + 1):
            measured = {
                "bench": [bench(options.bench, run)],
                "lab": labs(options.lab, path, [run]),
                "two labs": labs(options.lab, path, [run, run + 100]),
            }
            rows += [{"who": who, "run": run, **each} for who, found in measured.items() for each in found]
            progress.advance(task)

    def speed(who: str) -> float:
        return statistics.median(each["cycles"] / each["seconds"] for each in rows if each["who"] == who)

    ratios = {"bench_ratio": speed("lab") / speed("bench"), "pair_ratio": speed("two labs") / speed("lab")}
    options.output.mkdir(parents=True, exist_ok=True)
    result = {**{name: round(ratio, 3) for name, ratio in ratios.items()}, "rows": rows}
    (options.output / "lab-speed.json").write_text(json.dumps(result, indent=1) + "\n")
    table = Table("", "controller cycles a second", "accesses a second")
    for who in dict.fromkeys(each["who"] for each in rows):
        accesses = statistics.median(each["accesses"] / each["seconds"] for each in rows if each["who"] == who)
        table.add_row(who, f"{speed(who):.0f}", f"{accesses:.0f}")
    console.print(table)
    console.print(f"lab by bench {ratios['bench_ratio']:.2f}, each of two labs by one alone {ratios['pair_ratio']:.2f}")


if __name__ == "__main__":
    main()
