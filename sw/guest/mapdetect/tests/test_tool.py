# SPDX-License-Identifier: Apache-2.0
"""The program of the guest: what it refuses. QEMU's user mode has no DRAM whose rows could be timed."""

import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[4] / "build" / "guest" / "mapdetect" / "mapdetect"


def start(*arguments):
    command = ["qemu-riscv64", "-cpu", "rv64,f=false,d=false", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--memory"], "memory"),
        (["--memory", "0"], "--memory 0 is not a number from 1 to 1048576"),
        (["--memory", "1048577"], "1048577 is not"),
        (["--memory", "-1"], "-1 is not"),
        (["--memory", "16M"], "16M is not"),
        (["--memory", "99999999999999999999"], "is not a number"),
        (["--physical", "0x80000000"], "0x80000000 is not START:BYTES"),
        (["--physical", "0x80000000:"], "is not START:BYTES"),
        (["--physical", ":4096"], "is not START:BYTES"),
        (["--physical", "0:0x30000"], "does not have a power of two"),
        (["--physical", "0:8192"], "from 2^14 to 2^48"),
        (["--physical", "0:0"], "from 2^14 to 2^48"),
        (["--physical", "0x8000:0x10000"], "does not begin at a multiple"),
        (["--physical", "0x80000000:0x10000", "--memory", "1"], "exclude each other"),
        (["--clock", "wall"], "--clock wall is neither cycle nor time"),
        (["--frobnicate"], "frobnicate"),
        (["now"], "argument now is not expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, named):
    done = start(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert named in done.stderr
    assert "usage: mapdetect" in done.stderr


def test_help():
    done = start("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: mapdetect")
