# SPDX-License-Identifier: Apache-2.0
"""How the tests run a simulator. `make build` has made what they need."""

import functools
import json
import resource
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).resolve().parents[3]
FIRMWARE_ADDRESS = 0x8020_0000

sys.path[:0] = [str(ROOT / "sim" / "soc"), str(ROOT / "boards" / "litex_weir")]


@dataclass
class Run:
    """What a simulation left: exit code, console and messages."""

    code: int
    console: str
    messages: str


@dataclass(frozen=True)
class Soc:
    """A SoC under build/soc, with so many harts. `run` simulates it with the given options; `boot` first has it started
    on a guest program.

    CYCLES is a limit far above what any guest needs, so that a run that hangs ends with exit code 124.
    """

    name: str
    harts: int
    program: str = "weir-sim"
    CYCLES: ClassVar = 4_000_000

    def folder(self) -> Path:
        return ROOT / "build" / "soc" / self.name

    def firmware(self, guest: str) -> Path:
        return self.folder() / "firmware" / f"{guest}.bin"

    def run(self, *options, stdin="", largest_file=None) -> Run:
        """`largest_file` is the bytes that a file may have; writing more fails as on a full disk."""

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        command = [self.folder() / self.program, "--progress", "0", "--cycles", self.CYCLES, *options]
        result = subprocess.run(
            [str(word) for word in command],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=limit if largest_file is not None else None,
        )
        return Run(result.returncode, result.stdout.replace("\r", ""), result.stderr)

    def boot(self, guest: str, *options) -> Run:
        image = f"{self.firmware(guest)}@{FIRMWARE_ADDRESS:#x}"
        return self.run("--boot", FIRMWARE_ADDRESS, "--ram-image", image, *options)


ONE_HART = Soc("weir-1-checked", 1, "weir-sim-trace")
TWO_HARTS = Soc("weir-2", 2)
FOUR_HARTS = Soc("weir-4", 4)

on_each = pytest.mark.parametrize(
    "soc", [ONE_HART, pytest.param(TWO_HARTS, marks=pytest.mark.long), FOUR_HARTS], ids=lambda soc: soc.name
)
"""Of a test that runs on each of them; `make soc-long` runs it on two harts."""


@functools.cache
def membench_quick(soc):
    """membench in its short form on `soc`; simulated once for all tests that look at it."""
    return soc.boot("membench-quick")


IN_BIOS = 270_000  # a cycle in which the BIOS tests the memory
SCRIPT = "wXw7"


class Machine:
    """Snapshots and runs of one machine with the guest `host`, each made once for all tests.

    `straight` is its whole life; `begun`, `booted` and `ended` are the same in three pieces, cut at `in_bios` and where
    the guest asks for it, at `frozen`. `summary` is what a run wrote.
    """

    def __init__(self, folder):
        self.folder = folder
        self.script = folder / "script"
        self.script.write_text(SCRIPT)
        script = ("--script", self.script)
        self.straight = self._run(
            "straight", ONE_HART.boot, "host", *script, "--hang-limit", 200_000, *self._logs("straight")
        )
        self.in_bios = folder / "bios.snapshot"
        self.begun = self._run("begun", ONE_HART.boot, "host", *script, "--save", self.in_bios, "--save-at", IN_BIOS)
        self.frozen = folder / "frozen.snapshot"
        self.booted = self._run("booted", ONE_HART.run, "--resume", self.in_bios, "--save", self.frozen)
        self.ended = self._run("ended", ONE_HART.run, "--resume", self.frozen, *self._logs("ended"))

    def _logs(self, name):
        return ("--axi-log", self.folder / f"{name}.axi", "--command-trace", self.folder / f"{name}.commands")

    def _run(self, name, run, *options):
        return run(*options, "--summary", self.folder / f"{name}.json")

    def summary(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())


@pytest.fixture(scope="session")
def machine(tmp_path_factory):
    return Machine(tmp_path_factory.mktemp("machine"))
