# SPDX-License-Identifier: Apache-2.0
"""Traffic on what Yosys made of `ecp5-lite` for ECP5: every datum checked, no rule of the DRAM broken; and faults put
into the design are found. `make netlist` makes the program and runs this."""

import json
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[3] / "build" / "netlist" / "ecp5-lite" / "traffic"
HOLDS, BROKEN = 0, 1
"""Exit codes of the traffic: all data right and no rule broken, or not."""


def traffic(pattern, *options):
    command = [PROGRAM, "--pattern", pattern, "--ids", "16", "--warmup", "1000", "--window", "8000", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("pattern", ["sequential_read", "sequential_write", "random_read", "random_1to1", "busy_bank"])
def test_the_netlist_passes_the_traffic(pattern):
    run = traffic(pattern)
    assert run.returncode == HOLDS, run.stderr
    measured = json.loads(run.stdout.splitlines()[0])
    assert measured["violations"] == {}
    # a burst of 64 bytes takes 16 clocks of the DRAM, 8 cycles, at the least
    assert measured["checked_bytes"] >= 64 * 200


def test_activates_and_reads_take_turns():
    """Single lines at random addresses fill the bus: a line takes two cycles of it, refreshes a little."""
    measured = json.loads(traffic("random_read", "--burst-bytes", 16).stdout.splitlines()[0])
    assert measured["read_bytes"] / (8 * measured["window"]) > 0.85


def test_bursts_of_every_length():
    for length in (16, 256, 1024):
        run = traffic("random_1to1", "--burst-bytes", length)
        assert run.returncode == HOLDS, run.stderr


@pytest.mark.parametrize("fault", [1, 2, 4], ids=["a read bit turned", "a byte masked", "precharges hidden"])
def test_a_fault_is_found(fault):
    assert traffic("random_1to1", "--fault", fault, "--fault-cycle", 1000).returncode == BROKEN
