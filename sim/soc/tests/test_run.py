# SPDX-License-Identifier: Apache-2.0
"""run.py and its results, on a simulator that is a shell script: what it writes, and how failures are told."""

import json
import subprocess
import sys

import pytest
import results
from conftest import ROOT

ROWS = [
    {"test": "chase_latency", "harts": 1, "footprint_bytes": 1024, "stride_bytes": 64, "value": 2.75, "unit": "cycles"},
    {
        "test": "chase_latency",
        "harts": 1,
        "footprint_bytes": 8192,
        "stride_bytes": 512,
        "value": 40.5,
        "unit": "cycles",
    },
    {"test": "chase_latency", "harts": 4, "footprint_bytes": 8192, "stride_bytes": 64, "value": 51.0, "unit": "cycles"},
    {"test": "copy", "harts": 1, "footprint_bytes": 16384, "stride_bytes": 0, "value": 240.25, "unit": "MB/s"},
    {"test": "copy", "harts": 4, "footprint_bytes": 16384, "stride_bytes": 0, "value": 744.0, "unit": "MB/s"},
]
BLOCK = "\n".join([results.BEGIN, *(json.dumps(row) for row in ROWS), results.END])
LAST_WORDS = "weir-sim: 1.25 M cycles, 100 kHz, 12 s: the guest ended with exit code 0"


def run(tmp_path, console, code=0, last_words=LAST_WORDS):
    """run.py on a SoC whose simulator prints `console` and ends with `code`."""
    soc = tmp_path / "weir-4"
    (soc / "firmware").mkdir(parents=True)
    (soc / "firmware" / "membench.bin").write_bytes(b"")
    constants = {"config_cpu_count": 4, "config_clock_frequency": 200_000_000}
    (soc / "csr.json").write_text(json.dumps({"constants": constants}))
    simulator = soc / "weir-sim"
    simulator.write_text(
        f"#!/bin/sh\ncat <<'END'\nhello from the guest\n{console}\nEND\necho '{last_words}' >&2\nexit {code}\n"
    )
    simulator.chmod(0o755)
    command = [sys.executable, ROOT / "sim" / "soc" / "run.py", soc, "--output", tmp_path / "results"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)


def test_results_are_written_shown_and_drawn(tmp_path):
    ended = run(tmp_path, BLOCK)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = json.loads((tmp_path / "results" / "run.json").read_text())
    assert found["rows"] == ROWS
    assert (found["controller"], found["harts"], found["clock_mhz"], found["cycles"]) == ("Weir", 4, 200, 1_250_000)
    assert "hello from the guest" in ended.stdout
    assert "744.00 MB/s" in ended.stdout
    assert results.BEGIN not in ended.stdout
    assert (tmp_path / "results" / "run.svg").read_text().lstrip().startswith("<?xml")
    assert (tmp_path / "results" / "run.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("console", "code", "message"),
    [
        (BLOCK, 3, "the simulation ended with exit code 3: weir-sim: something broke"),
        ("", 0, "membench did not print its block of results"),
        (BLOCK.replace(results.END, ""), 0, "membench did not print its block of results"),
        (BLOCK.replace('"copy",', '"copy"'), 0, "membench's block of results is damaged"),
        (BLOCK.replace('"harts"', '"hearts"'), 0, "a row has other fields"),
        (f"{results.BEGIN}\n{results.END}", 0, "is empty"),
    ],
)
def test_failures_are_told_and_leave_no_results(tmp_path, console, code, message):
    ended = run(tmp_path, console, code, "weir-sim: something broke" if code else LAST_WORDS)
    assert ended.returncode == 1
    assert message in ended.stdout
    assert not (tmp_path / "results").exists()


def test_a_soc_that_is_not_built_is_refused(tmp_path):
    command = [sys.executable, ROOT / "sim" / "soc" / "run.py", tmp_path]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "weir-sim does not exist; `make soc` builds it" in ended.stderr
