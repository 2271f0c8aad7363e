# SPDX-License-Identifier: Apache-2.0
"""Soak Weir: random AXI traffic on several configs with several seeds, every read checked, two simulations at a time.

Beside the configs that have names there are new ones, drawn from seeds (hw/src/weir/RandomConfig.scala), which are
elaborated and compiled here. Those in which nothing was found are removed again.

The exit code is 1 when a run or a build failed; its last words and the command that replays it are shown.

usage: soak.py [--config NAME ...] [--seed N] [--seeds COUNT] [--bursts COUNT] [--draws COUNT]
Without --seed, the first seed is drawn at random and shown. New configs are drawn from it and those that follow it.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "progress"), str(ROOT / "tests")]
from configs import listed  # noqa: E402
from runs import Failed, as_they_end  # noqa: E402

# Configs in which pages move between DRAM and NVM all the while: with lines of 64 bytes and of 16.
HYBRID = ("test-migration", "test-migration-x16")

CONFIGS, TESTED, CALIBRATED, DRAWN = (listed(f"SOAK_{name}") for name in ("CONFIGS", "TESTED", "CALIBRATED", "DRAWN"))


def command(config: str, seed: int, bursts: int, fault: int = 0) -> list[str]:
    found = [f"build/soak/{config}/soak", "--seed", str(seed), "--bursts", str(bursts)]
    if fault:
        found += ["--fault", str(fault), "--fault-cycle", "20000"]
    return found


def soak(config: str, seed: int, bursts: int, fault: int = 0) -> dict:
    """One run; what it did (soak.cpp), or Failed. `fault` breaks the design on purpose (bench.sv)."""
    words = command(config, seed, bursts, fault)
    ended = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    if ended.returncode != 0:
        raise Failed(f"{ended.stderr}exit code {ended.returncode}, replay with: {' '.join(words)}")
    return json.loads(ended.stdout.splitlines()[0])


def build(config: str) -> None:
    """Elaborate and compile the soak of a drawn config, or Failed."""
    target = f"build/soak/{config}/soak"
    # a jobserver of an outer make is not ours to use
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    ended = subprocess.run(["make", target], capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    if ended.returncode != 0:
        raise Failed(f"{ended.stdout}{ended.stderr}build failed, replay with: make {target}")


def remove(config: str) -> None:
    """What `build` made."""
    for folder in ("soak", "hw"):
        shutil.rmtree(ROOT / "build" / folder / config)


def build_and_soak(config: str, seed: int, bursts: int) -> dict:
    """Of a config that is drawn for this run."""
    build(config)
    done = soak(config, seed, bursts)
    remove(config)
    return done


def moves(done: dict) -> int:
    """How often a page went to DRAM or home."""
    return done["moves"]["promoted"] + done["moves"]["evicted"] if done["moves"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", action="append", choices=CONFIGS + DRAWN, help="all when none is given")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seeds", type=int, default=1, help="how many, from the first on")
    parser.add_argument("--bursts", type=int, default=1_000_000, help="of each run")
    parser.add_argument("--draws", type=int, help="configs that are drawn; 4 when no --config is given, else none")
    arguments = parser.parse_args()
    first = secrets.randbelow(1 << 31) if arguments.seed is None else arguments.seed
    configs = arguments.config or CONFIGS + DRAWN
    runs = [
        (soak, config, seed, arguments.bursts) for seed in range(first, first + arguments.seeds) for config in configs
    ]
    draws = arguments.draws if arguments.draws is not None else 0 if arguments.config else 4
    new = (f"random-{seed}" for seed in range(first, first + draws))
    runs += [(build_and_soak, config, first, arguments.bursts) for config in new if config not in DRAWN]

    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(f"first seed {first}", highlight=False)
    shown = Table("config", "seed", "reads", "longest", "writes", "longest", "cycles", "bytes read", "moves")
    failures = []
    for (_, config, seed, _), result in as_they_end("soak", runs, lambda run, *words: run(*words), console, failures):
        reads, writes = result["reads"], result["writes"]
        numbers = (
            *(reads["count"], reads["most"], writes["count"], writes["most"]),
            *(result["cycles"], result["checked_bytes"]),
            moves(result),
        )
        shown.add_row(config, str(seed), *(f"{number:,}" for number in numbers))
    console.print(shown)
    for failure in failures:
        console.print(failure, markup=False, highlight=False, soft_wrap=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
