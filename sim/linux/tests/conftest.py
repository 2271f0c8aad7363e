# SPDX-License-Identifier: Apache-2.0
"""Runs of Linux on the simulated SoC. `make build` has booted one hart and saved the machine."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "sim" / "linux")]

import machine  # noqa: E402


@dataclass
class Run:
    """How a run ended, what was on the console, and weir-sim's summary."""

    code: int
    console: str
    messages: str
    summary: dict


@pytest.fixture(scope="session")
def simulate(tmp_path_factory):
    """Function that runs a command line of `machine` with further options and gives a Run."""

    def run(command, *options):
        summary = tmp_path_factory.mktemp("run") / "summary.json"
        words = [*command, "--progress", 0, "--summary", summary, *options]
        ended = subprocess.run(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        return Run(ended.returncode, ended.stdout.replace("\r", ""), ended.stderr, json.loads(summary.read_text()))

    return run


@pytest.fixture(scope="session")
def script(simulate, tmp_path_factory):
    """Function that runs the lines of a script in the guest of `soc`, from its snapshot, with further options of the
    simulator, and gives a Run."""

    def run(soc, *lines, options=()):
        file = tmp_path_factory.mktemp("script") / "script"
        file.write_text("\n".join(("#!/bin/sh", *lines)) + "\n")
        return simulate(machine.resume(soc, file), *options)

    return run


@pytest.fixture(scope="session")
def boot():
    """weir-sim's summary of the boot of one hart."""
    return json.loads(machine.snapshot("weir-1").with_name("boot.json").read_text())
