# SPDX-License-Identifier: Apache-2.0
"""Does the controller drive in every cycle what it drove when recorded.toml was recorded?

usage: unchanged.py [--config NAME ...] [--record COMMIT]
The exit code is 0 where all numbers are as recorded, 1 where one differs or a run fails, 2 for a wrong word.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "progress"), str(ROOT / "tests")]
from configs import listed  # noqa: E402
from runs import Failed, as_they_end  # noqa: E402

RECORDED = Path(__file__).with_name("recorded.toml")
CONFIGS = listed("UNCHANGED_CONFIGS")
SEED, BURSTS = 1, 1_000_000
UNCHANGED = "unchanged"


def printed(text: str) -> dict[str, str]:
    """The number of each of the outputs, by name, in what a program printed (outputs.sv)."""
    return dict(re.findall(r"^outputs (\w+) ([0-9a-f]{16})$", text, re.MULTILINE))


def outputs(config: str, seed: int, bursts: int) -> dict[str, str]:
    """Of a run: for "axi" and each channel's DRAM the number of what the controller drove there (outputs.sv), in
    hexadecimal. Raises Failed."""
    words = [f"build/unchanged/{config}/soak", "--seed", str(seed), "--bursts", str(bursts)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    found = printed(ended.stdout)
    if ended.returncode != 0 or "axi" not in found:
        raise Failed(f"{ended.stderr}exit code {ended.returncode}, replay with: {' '.join(words)}")
    return found


def differences(recorded: dict[str, str] | None, found: dict[str, str]) -> str:
    """Which outputs of a config are not as recorded, in a word."""
    if recorded is None:
        return "not recorded"
    differ = sorted(name for name in recorded.keys() | found.keys() if recorded.get(name) != found.get(name))
    return f"changed: {', '.join(differ)}" if differ else UNCHANGED


def text(about: dict[str, str | int], of_configs: dict[str, dict[str, str]]) -> str:
    """recorded.toml."""
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        *(f"{name} = {json.dumps(value)}" for name, value in about.items()),
    ]
    for config, of in of_configs.items():
        lines += ["", f"[outputs.{config}]", *(f'{name} = "{number}"' for name, number in of.items())]
    return "\n".join(lines) + "\n"


def record(commit: str, console: Console) -> list[str]:
    """Write recorded.toml anew, a config at a time; what it has of the same commit, seed and bursts stays.

    Returns what is told of runs that fail."""
    about = {"commit": commit, "seed": SEED, "bursts": BURSTS}
    before = tomllib.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    known = before["outputs"] if all(before.get(name) == of for name, of in about.items()) else {}
    found = {config: of for config, of in known.items() if config in CONFIGS}

    jobs, failures = [(config, SEED, BURSTS) for config in CONFIGS if config not in found], []
    for (config, *_), result in as_they_end("unchanged", jobs, outputs, console, failures):
        found[config] = result
        RECORDED.write_text(text(about, {name: found[name] for name in CONFIGS if name in found}))
    console.print(
        f"{len(found)} of {len(CONFIGS)} configs are recorded in {RECORDED.relative_to(ROOT)}", highlight=False
    )
    return failures


def compare(configs: list[str], console: Console) -> list[str]:
    """Print which configs drive what is recorded; returns what differs, and what is told of runs that fail."""
    recorded = tomllib.loads(RECORDED.read_text())
    told, failures = {}, []
    jobs = [(config, recorded["seed"], recorded["bursts"]) for config in configs]
    for (config, *_), result in as_they_end("unchanged", jobs, outputs, console, failures):
        told[config] = differences(recorded["outputs"].get(config), result)
    shown = Table("config", f"{recorded['bursts']:,} bursts, beside {recorded['commit']}")
    for config in configs:
        shown.add_row(config, told.get(config, "failed"))
    console.print(shown)
    return failures + [f"{config}: {of}" for config, of in told.items() if of != UNCHANGED]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", action="append", choices=CONFIGS, help="all when none is given")
    parser.add_argument("--record", metavar="COMMIT", help="write what is found, as that of the hardware of COMMIT")
    arguments = parser.parse_args()
    if arguments.record and arguments.config:
        parser.error("--record is of all configs: leave out --config")
    console = Console() if sys.stdout.isatty() else Console(width=120)
    if arguments.record:
        wrong = record(arguments.record, console)
    else:
        wrong = compare(arguments.config or list(CONFIGS), console)
    for complaint in wrong:
        console.print(complaint, markup=False, highlight=False, soft_wrap=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
