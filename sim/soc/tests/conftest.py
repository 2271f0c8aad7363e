# SPDX-License-Identifier: Apache-2.0
"""How the tests run a simulator. `make build` has made what they need."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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


@dataclass
class Soc:
    """A SoC under build/soc. `run` simulates it with the given options; `boot` first has it started on a guest program.

    CYCLES is a limit far above what any guest needs, so that one that hangs ends with exit code 124.
    """

    name: str
    program: str = "weir-sim"
    CYCLES = 4_000_000

    def folder(self) -> Path:
        return ROOT / "build" / "soc" / self.name

    def firmware(self, guest: str) -> Path:
        return self.folder() / "firmware" / f"{guest}.bin"

    def run(self, *options, stdin="") -> Run:
        command = [self.folder() / self.program, "--progress", "0", *options]
        result = subprocess.run(
            [str(word) for word in command], input=stdin, capture_output=True, text=True, errors="replace", check=False
        )
        return Run(result.returncode, result.stdout.replace("\r", ""), result.stderr)

    def boot(self, guest: str, *options) -> Run:
        image = f"{self.firmware(guest)}@{FIRMWARE_ADDRESS:#x}"
        return self.run("--boot", FIRMWARE_ADDRESS, "--ram-image", image, "--cycles", self.CYCLES, *options)


ONE_HART = Soc("weir-1-checked", "weir-sim-trace")
TWO_HARTS = Soc("weir-2")
FOUR_HARTS = Soc("weir-4")


@pytest.fixture
def one_hart():
    return ONE_HART


@pytest.fixture(params=[(1, ONE_HART), (2, TWO_HARTS), (4, FOUR_HARTS)], ids=["1hart", "2harts", "4harts"])
def harts_and_soc(request):
    return request.param
