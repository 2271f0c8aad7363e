# SPDX-License-Identifier: Apache-2.0
"""What Weir's counters have gained in the region, which is as long as asked."""

import sys

import pytest
from lab_program import PAPER, ROOT, run

sys.path.append(str(ROOT / "sim" / "lab" / "experiments"))
import counters

APART = 1 << 33
"""Bytes from the memory of a core to that of the next."""


@pytest.fixture(scope="module")
def layout():
    return counters.layout(ROOT / "build" / "hw" / "lab-rank-assignment-32gb" / "Weir.rdl")


def measured(updates, range_, *words):
    traces = f"simple_o3:{updates}@{APART}"
    return run("--system", PAPER, "--traces", traces, "--warm-up", 5000, "--counters", range_, *words)


def test_they_are_of_the_region(updates, layout):
    code, result, error = measured(updates, layout.option, "--accesses", 6000)
    assert code == 0, error
    assert 6000 <= result["reads"] + result["writes"] < 6020
    of = dict(zip(layout.names, result["counters"], strict=True))
    # a latch is up to an access of a register before what the lab itself counts
    assert of["channel[0].cycles"] == pytest.approx(result["cycles"], abs=5)
    for channel in (0, 1):
        ranks = result["dram"][channel]["ranks"]
        for number, rank in enumerate(ranks):
            name = f"rank[{channel * len(ranks) + number}].reads"
            assert of[name] == pytest.approx(rank["reads"], abs=20)


@pytest.mark.parametrize(("option", "what"), [("--accesses", "accesses"), ("--instructions", "instructions")])
def test_a_region_that_is_over_before_they_are_read_is_refused(updates, layout, option, what):
    code, _, error = measured(updates, layout.option, option, 500)
    assert code == 2
    told = f"option {option} 500: must be more than the {what} that the reading of {len(layout.names)} counters takes"
    assert told in error
    least = int(error.split(": ")[-1].removesuffix(" here\n"))
    assert measured(updates, layout.option, option, least)[0] == 2
    assert measured(updates, layout.option, option, least + 1)[0] == 0


def test_a_few_are_read_in_a_short_region(updates, layout):
    code, result, error = measured(updates, f"{layout.latch}:{layout.offsets[0]}:1", "--accesses", 100)
    assert code == 0, error
    assert 100 <= result["reads"] + result["writes"] < 120


@pytest.mark.parametrize(
    ("latch", "complaint"),
    [
        (0x0, "option --counters: LATCH, register 0, answers the write of 1 with response 2, not 0"),
        (0xE8, "option --counters: LATCH, register 232, answers the write of 1 with response 2, not 0"),  # at least 2
        (0xC0, "option --counters: LATCH, register 192, reads 1, not 0: must be the register that latches"),
    ],
)
def test_another_register_does_not_latch_them(updates, layout, latch, complaint):
    code, _, error = measured(updates, f"{latch}:{layout.offsets[0]}:1", "--accesses", 100)
    assert code == 2
    assert complaint in error


@pytest.mark.parametrize(
    "range_",
    [
        "256",
        "256:4096",
        "256:4096:",
        "256:4096:1:1",
        "256:4096:1,",
        "256:4096:1,,8192:1",
        "256:4096:1,8192",
        "256:4096:1,8196:1",
        "-4:4096:1",
        " 256:4096:1",
        "258:4096:1",
        "256:4100:1",
        "256:4096:0",
        "256:4096:7681",
        "65536:4096:1",
    ],
)
def test_a_range_that_is_none_is_refused(updates, range_):
    code, _, error = measured(updates, range_, "--accesses", 100)
    assert code == 2
    assert (
        f"option --counters {range_}: must be LATCH:FIRST:COUNT,FIRST:COUNT,..., offsets of registers below 65536"
        in error
    )
