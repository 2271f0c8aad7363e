# SPDX-License-Identifier: Apache-2.0
"""Eight cores before Weir's RTL."""

import subprocess
from pathlib import Path

import pytest
from lab_program import LAB, PAPER, run

APART = 1 << 33
"""Bytes from the memory of a core to that of the next."""


def measured(updates, *words):
    code, result, error = run("--system", PAPER, "--traces", f"simple_o3:{updates}@{APART}", *words)
    assert code == 0, error
    return result


@pytest.fixture(scope="module")
def result(updates):
    return measured(updates, "--warm-up", 5000, "--accesses", 20_000)


def test_the_region_of_interest_is_as_long_as_asked(result):
    assert 20_000 <= result["reads"] + result["writes"] < 20_010


def test_what_comes_first_ends_the_region(updates, result):
    def length(*words):
        found = measured(updates, *words)
        return found["reads"] + found["writes"], sum(core["instructions"] for core in found["cores"])

    both = sum(core["instructions"] for core in result["cores"])
    accesses, instructions = length("--accesses", 20_000, "--instructions", both // 2)
    assert accesses < 15_000
    assert both // 2 <= instructions < both // 2 + 8 * 4 * 8
    accesses, instructions = length("--accesses", 20_000, "--instructions", both * 2)
    assert 20_000 <= accesses < 20_010
    assert instructions < both * 3 // 2


def test_what_comes_first_ends_the_warm_up(updates):
    def cycles(*words):
        found = measured(updates, *words, "--accesses", 1000)
        return found["all_cycles"] - found["cycles"]

    first, second = cycles("--warm-up", 5000), cycles("--warm-up-instructions", 50_000)
    assert first != second
    assert cycles("--warm-up", 5000, "--warm-up-instructions", 50_000) == min(first, second)


def test_all_cores_make_progress(result):
    counts = [core["instructions"] for core in result["cores"]]
    assert min(counts) > 0.9 * max(counts)
    for core in result["cores"]:
        assert core["ipc"] == pytest.approx(core["instructions"] / result["core_cycles"], rel=1e-4)
        assert core["read_latency"]["least"] >= 8


def test_every_miss_is_a_read(result):
    misses = sum(core["llc_misses"] for core in result["cores"])
    assert misses == pytest.approx(result["reads"], abs=8 * 128)


def test_the_dram_model_has_seen_the_same(result):
    """What differs is what the controller holds at both ends, and reads that its write queue answered."""
    ranks = [rank for channel in result["dram"] for rank in channel["ranks"]]
    held = 2 * (64 + 32)
    assert sum(rank["reads"] for rank in ranks) == pytest.approx(result["reads"], abs=held)
    assert sum(rank["writes"] for rank in ranks) == pytest.approx(result["writes"], abs=held)
    assert [channel["cycles"] for channel in result["dram"]] == [result["cycles"]] * 2


def test_dropped_writes_never_reach_weir(system, updates, result):
    path = system(memory__writes="dropped")
    code, dropped, error = run("--system", path, "--traces", f"simple_o3:{updates}@{APART}", "--accesses", 20_000)
    assert code == 0, error
    ranks = [rank for channel in dropped["dram"] for rank in channel["ranks"]]
    assert dropped["writes"] > 1000
    assert sum(rank["writes"] for rank in ranks) == 0
    assert dropped["core_cycles"] < result["core_cycles"]


def test_a_seed_repeats_itself(updates, result):
    again = measured(updates, "--warm-up", 5000, "--accesses", 20_000)
    other = measured(updates, "--warm-up", 5000, "--accesses", 20_000, "--seed", 2)
    assert {**again, "cpu_seconds": 0} == {**result, "cpu_seconds": 0}
    assert {**other, "cpu_seconds": 0} != {**result, "cpu_seconds": 0}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--registers", "0x1=2"), "option --registers 0x1=2: must be ADDRESS=VALUE, an offset below 65536"),
        (("--registers", "0x0=2"), "register 0: the controller refuses the value 2"),
        (("--traces", "simple_o3:nowhere@x"), 'option --traces: "simple_o3:nowhere@x" must be FORMAT:PATH[@OFFSET]'),
        (("--traces", "simple_o3:nowhere@-64"), "must be FORMAT:PATH[@OFFSET]"),
        (("--traces", "simple_o3:nowhere@99999999999999999999"), "must be FORMAT:PATH[@OFFSET]"),
        (("--traces", "simple_o3:nowhere,"), 'option --traces: "" must be FORMAT:PATH[@OFFSET]'),
        (("--accesses", 0), "option --accesses 0: must be at least 1, or --instructions be given"),
        (("--warm-up-instructions", 2**49), "a run of 562949953421312 accesses or instructions: must be at most"),
        (("--accesses", 2**64 - 1), "must be at most 281474976710656"),
        (("--accesses", 2**64), "option --accesses: 18446744073709551616 is not a number below 2^64"),
    ],
)
def test_wrong_options_are_refused(updates, words, complaint):
    given = {"--system": PAPER, "--traces": f"simple_o3:{updates}", "--accesses": 100, words[0]: words[1]}
    code, _, error = run(*(word for option in given.items() for word in option))
    assert code == 2
    assert complaint in error


def test_a_result_that_cannot_be_written_is_told(updates):
    words = ["--system", PAPER, "--traces", f"simple_o3:{updates}", "--accesses", "100"]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([LAB, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert "lab: the result cannot be written: No space left on device" in ended.stderr


def test_an_address_outside_memory_is_refused(updates):
    code, _, error = run("--system", PAPER, "--traces", f"simple_o3:{updates}@{1 << 36}", "--accesses", 1000)
    assert code == 2
    assert "must be within the 137438953472 bytes of memory from 0 on" in error


def test_an_address_below_memory_is_refused(system, updates):
    path = system(memory__base=1 << 63)
    code, _, error = run("--system", path, "--traces", f"simple_o3:{updates}", "--accesses", 1000)
    assert code == 2
    assert f"must be within the 137438953472 bytes of memory from {1 << 63} on" in error


def test_registers_are_set(updates, result):
    """With other water marks the same work takes another time."""
    marks = 0xC0  # water_marks: low 31:16, high 15:0
    other = measured(updates, "--warm-up", 5000, "--accesses", 20_000, "--registers", f"{marks:#x}={1 << 16 | 2:#x}")
    assert other["cycles"] != result["cycles"]
