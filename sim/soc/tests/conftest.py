# SPDX-License-Identifier: Apache-2.0
"""How the tests run a simulator. `make build` has made what they need."""

import functools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

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
    """A SoC under build/soc. `run` simulates it with the given options; `boot` first has it started on a guest program.

    CYCLES is a limit far above what any guest needs, so that a run that hangs ends with exit code 124.
    """

    name: str
    program: str = "weir-sim"
    CYCLES: ClassVar = 4_000_000

    def folder(self) -> Path:
        return ROOT / "build" / "soc" / self.name

    def firmware(self, guest: str) -> Path:
        return self.folder() / "firmware" / f"{guest}.bin"

    def run(self, *options, stdin="") -> Run:
        command = [self.folder() / self.program, "--progress", "0", "--cycles", self.CYCLES, *options]
        result = subprocess.run(
            [str(word) for word in command], input=stdin, capture_output=True, text=True, errors="replace", check=False
        )
        return Run(result.returncode, result.stdout.replace("\r", ""), result.stderr)

    def boot(self, guest: str, *options) -> Run:
        image = f"{self.firmware(guest)}@{FIRMWARE_ADDRESS:#x}"
        return self.run("--boot", FIRMWARE_ADDRESS, "--ram-image", image, *options)


ONE_HART = Soc("weir-1-checked", "weir-sim-trace")
TWO_HARTS = Soc("weir-2")
FOUR_HARTS = Soc("weir-4")


@functools.cache
def membench_quick(soc):
    """membench in its short form on `soc`; simulated once for all tests that look at it."""
    return soc.boot("membench-quick")
