# SPDX-License-Identifier: Apache-2.0
"""What is made of the guest's console, against consoles written by hand; and the scripts' shell."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.append(str(HERE))

from experiments import RUNS, SCALE, Unexpected, rows  # noqa: E402

PALLOC, BANDWIDTH = (
    next(run for run in RUNS if run.name == name) for name in ("palloc-same-bank", "bank-bandwidth-one-bank")
)


def chase(cycles, loads=2048, result="right"):
    return (
        f"workload=chase size=65536 iterations=2 threads=1 seed=1 operations={loads} nanoseconds=1 cycles={cycles} "
        f"bytes=1 result={result}\n"
    )


def test_a_slowdown_is_that_over_no_neighbours():
    console = f"boot\nmeasured: neighbours=0\n{chase(1000)}measured: neighbours=3\n{chase(2500)}end\n"
    assert rows(PALLOC, console) == [
        {**common, "loads": 2048, "cycles": cycles, "slowdown": slowdown}
        for common, cycles, slowdown in [
            ({"experiment": "palloc", "placement": "same bank", "neighbours": 0}, 1000, 1.0),
            ({"experiment": "palloc", "placement": "same bank", "neighbours": 3}, 2500, 2.5),
        ]
    ]


def test_a_line_in_each_scaled_cycle_is_the_peak():
    (row,) = rows(BANDWIDTH, f"measured: harts=4\n{chase(100 * SCALE, loads=100)}")
    assert row["share_of_peak"] == 1
    assert row["harts"] == 4


@pytest.mark.parametrize(
    ("console", "why"),
    [
        ("", "no measurement"),
        ("measured: neighbours=1\n", "no result of chase with neighbours=1"),
        ("measured: neighbours=1\n" + chase(1, result="wrong"), "chase with neighbours=1 read wrong data"),
        ("measured: neighbours=1\nmeasured: neighbours=2\n" + chase(1), "no result of chase with neighbours=1"),
    ],
)
def test_another_console_is_refused(console, why):
    with pytest.raises(Unexpected, match=why):
        rows(PALLOC, console)


def test_runs_have_names_of_their_own():
    assert len({run.name for run in RUNS}) == len(RUNS)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_script_is_shell_and_has_its_variables(run):
    text = run.text()
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    assert all(f"{name}='{value}'\n" in text for name, value in run.variables.items())


def test_the_prelude_is_shell_and_ends_where_the_machine_is_saved():
    text = (HERE / "prelude.sh").read_text()
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    assert text.splitlines()[-1] == 'eval "$(weir-freeze)"'
