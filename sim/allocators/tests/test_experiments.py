# SPDX-License-Identifier: Apache-2.0
"""What is taken from the guest's console, against consoles written by hand; and the scripts' shell."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
sys.path.append(str(HERE))

from experiments import RUNS, Unexpected, brief, measurement, rows  # noqa: E402
from scripts import prelude  # noqa: E402

PALLOC, REFRESH = (next(run for run in RUNS if run.name == name) for name in ("palloc-same-bank", "refresh-own-rank"))

STALLS = ("refresh", "write_drain", "queue_full", "bank", "turnaround", "bus")
EVENTS = ("read_hits", "read_misses", "read_conflicts", "read_delay", *(f"stalls_{cause}" for cause in STALLS))
COMMANDS = "reads,,0,7\nreads,,1,8\nwrites,,0,9\nwrites,,1,10\n"


def workload(cycles, operations=2048, result="right", undisturbed=""):
    return (
        f"workload=chase size=65536 iterations=2 threads=1 seed=1 operations={operations} nanoseconds=1 "
        f"cycles={cycles} {undisturbed}bytes=1 result={result}\n"
    )


def weirstat(events=EVENTS, energy=""):
    """Its lines, where the number of an event counts at rank 0, and ten times that at rank 1."""
    lines = [f"{event},0,{rank},{number * 10**rank}" for number, event in enumerate(events, start=1) for rank in (0, 1)]
    return "\n".join(["cycles,,,9", *lines]) + f"\n{COMMANDS}{energy}"


COUNTED = {
    "line_reads": 11 * (1 + 2 + 3),
    "read_delay": 11 * 4,
    **{f"stalls_{cause}": 11 * number for number, cause in enumerate(STALLS, start=5)},
    "rank_reads": [7, 8],
    "rank_writes": [9, 10],
}


def test_a_row_says_where_it_belongs_what_was_done_and_what_was_counted():
    console = (
        f"boot\nmeasured: neighbours=0\n{workload(1000)}{weirstat()}"
        f"measured: neighbours=3\n{workload(2500)}{weirstat()}end\n"
    )
    where = {"experiment": "palloc", "placement": "same bank"}
    assert rows(PALLOC, console) == [
        {**where, "neighbours": neighbours, "operations": 2048, "cycles": cycles, **COUNTED}
        for neighbours, cycles in [(0, 1000), (3, 2500)]
    ]


def test_not_every_measurement_is_counted():
    (row,) = rows(PALLOC, f"measured: neighbours=0\n{workload(1000)}")
    assert set(row) == {"experiment", "placement", "neighbours", "operations", "cycles"}


def test_several_measurements_of_one_workload_are_rows_of_their_own():
    console = f"measured: neighbours=0,2,3 of=all\n{workload(10)}{workload(20)}noise\n{workload(30)}"
    found = rows(PALLOC, console)
    assert [(row["neighbours"], row["of"], row["cycles"]) for row in found] == [
        (0, "all", 10),
        (2, "all", 20),
        (3, "all", 30),
    ]


def test_what_was_counted_is_of_no_single_one_of_several():
    found = rows(PALLOC, f"measured: neighbours=0,3\n{workload(10)}{workload(20)}{weirstat()}")
    assert all("line_reads" not in row for row in found)


def test_a_row_has_the_undisturbed_cycles_if_there_are_some():
    (row,) = rows(PALLOC, f"measured: neighbours=0\n{workload(1000, undisturbed='undisturbed=800 ')}")
    assert (row["cycles"], row["undisturbed"]) == (1000, 800)


def test_what_is_varied_may_be_words_and_numbers():
    (row,) = rows(REFRESH, f"measured: error=10 refresh=defer_until_empty\n{workload(1)}{weirstat()}")
    assert (row["error"], row["refresh"]) == (10, "defer_until_empty")


def test_energy_is_that_of_all_ranks():
    lines = "energy_nj,,0,12.500\nenergy_nj,,1,0.250\n"
    (row,) = rows(PALLOC, f"measured: neighbours=0\n{workload(1)}{weirstat(energy=lines)}")
    assert row["energy_nj"] == 12.75


@pytest.mark.parametrize(
    ("console", "why"),
    [
        ("", "no measurement"),
        ("measured: neighbours=1\n", "0 results of the workload with neighbours=1, not 1"),
        ("measured: neighbours=0,3\n" + workload(1), "1 results of the workload with neighbours=0,3, not 2"),
        ("measured: neighbours=0\n" + workload(1) * 2, "2 results of the workload with neighbours=0, not 1"),
        ("measured: neighbours=1\n" + workload(1, result="wrong"), "the workload with neighbours=1 read wrong data"),
        ("measured: neighbours=1\nmeasured: neighbours=2\n" + workload(1), "0 results of the workload with neighbo"),
        ("measured: neighbours=1\n" + workload(1) + "cycles,,,9\n", "weirstat did not count reads, writes, read_hits"),
        (
            "measured: neighbours=1\n" + workload(1) + weirstat([event for event in EVENTS if event != "stalls_bus"]),
            "weirstat did not count stalls_bus",
        ),
    ],
)
def test_another_console_is_refused(console, why):
    with pytest.raises(Unexpected, match=why):
        rows(PALLOC, console)


def test_rows_of_one_measurement_are_told_from_those_of_others():
    (row,) = rows(PALLOC, f"measured: neighbours=0\n{workload(1000)}")
    (again,) = rows(PALLOC, f"measured: neighbours=0\n{workload(2000)}")
    (other,) = rows(PALLOC, f"measured: neighbours=1\n{workload(1000)}")
    (elsewhere,) = rows(REFRESH, f"measured: neighbours=0\n{workload(1000)}")
    assert measurement(row) == measurement(again)
    assert len({measurement(each) for each in (row, other, elsewhere)}) == 3


def test_a_brief_measurement_is_less_of_the_same():
    less = brief(RUNS)
    assert 0 < len(less) < len(RUNS)
    for run in less:
        (whole,) = (each for each in RUNS if each.name == run.name)
        assert run.variables.keys() == whole.variables.keys()
        for name, value in run.variables.items():
            assert set(re.split("[ ,]", value)) <= {"", *re.split("[ ,]", whole.variables[name])}


def test_runs_have_names_of_their_own():
    assert len({run.name for run in RUNS}) == len(RUNS)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_script_is_shell_and_has_its_variables(run):
    text = run.text()
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    assert all(f"{name}='{value}'\n" in text for name, value in run.variables.items())


def test_the_prelude_is_shell_and_ends_where_the_machine_is_saved():
    text = prelude()
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    assert text.splitlines()[-1] == 'eval "$(weir-freeze)"'
