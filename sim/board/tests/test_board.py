# SPDX-License-Identifier: Apache-2.0
"""The BIOS on the boards' SoCs: from power-up through the training of the reads to its memory test. `make board-sim`
builds the simulators."""

import functools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOCS = ("weir-ecpix5", "weir-lite-ecpix5", "weir-lite-orangecrab-25f", "litedram-ecpix5")
PROGRAM_SOCS = SOCS[1:]
"""Into whose DRAM a program can be put."""
ASSERTION, LIMIT = 118, 124
CYCLES = 3_000_000
LANES = {0: (1, 2, 5), 1: (2, 1, 4)}  # bitslip, first and last delay at which reads of a lane are right


@functools.cache
def run(soc):
    """Exit code, console with the simulator's last words, and summary of a run, simulated once for all tests."""
    folder = ROOT / "build" / "board" / soc
    summary = folder / "summary.json"
    command = [folder / "weir-sim", "--rom", folder / "bios.bin", "--progress", "0", "--cycles", CYCLES]
    command += ["--tolerate-violations", "--mark", "Memtest OK", "--summary", summary]
    ended = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", check=False
    )
    return ended.returncode, ended.stdout.replace("\r", ""), json.loads(summary.read_text())


@pytest.mark.parametrize("soc", SOCS)
def test_the_memory_test_passes(soc):
    code, console, summary = run(soc)
    assert code == LIMIT, console
    assert "Memtest OK" in console
    assert summary["marks"]["Memtest OK"] is not None


@pytest.mark.parametrize("soc", SOCS[:-1])
def test_weir_breaks_no_rule_of_the_dram(soc):
    """But for the one gap between refreshes that is the BIOS's own: while it trains the reads nobody refreshes."""
    _, said, summary = run(soc)
    assert summary["violations"] == 1, said
    assert "tREFI: 1 (" in said


@pytest.mark.parametrize("soc", SOCS)
def test_each_lane_is_trained_to_its_own_settings(soc):
    """The BIOS says the middle and half the width of the window that it has found."""
    found = re.findall(r"best: m(\d), b(\d\d) delays: (\d\d)\+-(\d\d)", run(soc)[1])
    trained = {int(module): (int(slip), int(middle), int(half)) for module, slip, middle, half in found}
    assert trained == {
        lane: (slip, (first + last) // 2, (last - first) // 2) for lane, (slip, first, last) in LANES.items()
    }


def test_an_assertion_that_fails_ends_a_boot(tmp_path):
    """On a Weir whose queues are told of column commands that nobody chose."""
    folder = ROOT / "build" / "board" / "weir-lite-orangecrab-25f"
    summary = tmp_path / "summary.json"
    command = [folder / "broken" / "weir-sim", "--rom", folder / "bios.bin", "--cycles", CYCLES, "--summary", summary]
    ended = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", check=False
    )
    assert ended.returncode == ASSERTION, ended.stdout + ended.stderr
    assert "Assertion failed: AccessQueue: no entry for the column command that was chosen" in ended.stdout
    assert "an assertion of the design failed" in ended.stderr
    assert json.loads(summary.read_text())["exit_code"] == ASSERTION


@functools.cache
def membench():
    """Rows of membench's quick plan on each SoC, and what membench.py said."""
    output = ROOT / "build" / "tests" / "board"
    folders = [ROOT / "build" / "board" / soc for soc in PROGRAM_SOCS]
    command = [sys.executable, ROOT / "sim/board/membench.py", "--plan", "quick", "--output", output, *folders]
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads((output / "boards-membench.json").read_text())["rows"], ended.stdout


@pytest.mark.parametrize("soc", PROGRAM_SOCS)
def test_membench_reads_what_it_wrote(soc):
    rows, said = membench()
    assert said.count("membench: 0 result(s) with wrong data") == len(PROGRAM_SOCS)
    tests = [row["test"] for row in rows if row["soc"] == soc]
    accesses = ["sequential_write", "sequential_read", "copy", "random_write", "random_read"]
    assert tests == ["chase_latency", "chase_latency", *accesses]


@pytest.mark.parametrize("test", ["chase_latency", "random_read"])
def test_weir_answers_a_cache_that_waits_no_later_than_litedram(test):
    """The same CPU, cache, PHY and clock."""
    rows, _ = membench()
    weir, litedram = (
        next(row["value"] for row in reversed(rows) if (row["soc"], row["test"]) == (soc, test))
        for soc in ("weir-lite-ecpix5", "litedram-ecpix5")
    )
    assert weir <= litedram if test == "chase_latency" else weir >= litedram


def test_a_soc_without_firmware_is_named(tmp_path):
    command = [sys.executable, ROOT / "sim/board/membench.py", tmp_path]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert f"{tmp_path}/weir-sim does not exist; `make board-membench` builds it" in ended.stderr
