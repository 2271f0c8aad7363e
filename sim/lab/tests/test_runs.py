# SPDX-License-Identifier: Apache-2.0
"""Eight cores before Weir's RTL."""

import pytest
from conftest import PAPER, run

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


def test_all_cores_make_progress(result):
    counts = [core["instructions"] for core in result["cores"]]
    assert min(counts) > 0.9 * max(counts)
    for core in result["cores"]:
        assert core["ipc"] == pytest.approx(core["instructions"] / result["core_cycles"], rel=1e-4)
        assert core["read_latency"]["least"] >= 8


def test_every_miss_is_a_read(result):
    misses = sum(core["llc_misses"] for core in result["cores"])
    assert misses == pytest.approx(result["reads"], abs=8 * 128)


def test_the_dram_model_has_seen_the_same(updates):
    """Over a whole run what differs is what the controller holds, and reads that its write queue answered."""
    result = measured(updates, "--accesses", 20_000)
    ranks = [rank for channel in result["dram"] for rank in channel["ranks"]]
    held = 2 * (64 + 32)
    assert sum(rank["reads"] for rank in ranks) == pytest.approx(result["reads"], abs=held)
    assert sum(rank["writes"] for rank in ranks) == pytest.approx(result["writes"], abs=held)


def test_a_seed_repeats_itself(updates, result):
    again = measured(updates, "--warm-up", 5000, "--accesses", 20_000)
    other = measured(updates, "--warm-up", 5000, "--accesses", 20_000, "--seed", 2)
    assert {**again, "cpu_seconds": 0} == {**result, "cpu_seconds": 0}
    assert {**other, "cpu_seconds": 0} != {**result, "cpu_seconds": 0}
