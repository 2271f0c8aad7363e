# SPDX-License-Identifier: Apache-2.0
"""What is captured: the same work of each copy, and under each placement."""

import hashlib
import json
import subprocess

import numpy
import pytest
import zstandard
from lab_program import ROOT

SMALL = ROOT / "build" / "lab" / "small" / "traces"
HEADER = 16
ACCESS = numpy.dtype(
    [("before", "<u4"), ("from", "<u2"), ("kind", "u1"), ("page", "u1"), ("physical", "<u8"), ("virtual", "<u8")]
)
PLACES, LENGTH = range(60_000, 270_000, 3_000), 40
"""Where in a trace pieces of it are taken, and how long they are."""
FOUND = len(PLACES) * 0.9
"""So many of them at least must be in another trace: others may lie where another program of the guest has run."""
OTHERS = 200
"""So many accesses may others of the guest's programs have beside the one that is captured: its init, the shell, and
lab-run run on any hart."""


def accesses(placement, program, hart):
    """A trace's accesses but for the kernel's: twice the place in the page, which is the same wherever the page lies,
    and 1 more of a store; of type `<u2`."""
    packed = zstandard.ZstdDecompressor().stream_reader(
        (SMALL / placement / program / f"hart-{hart}.trace.zst").open("rb")
    )
    found = numpy.frombuffer(packed.read()[HEADER:], ACCESS)
    found = found[found["virtual"] >> numpy.uint64(63) == 0]
    return (found["virtual"] % 4096 * 2 + found["kind"] % 2).astype("<u2")


def pieces_found(trace, other):
    """How many pieces of a trace are in the other one, as far from their places as other programs move them."""
    found = 0
    for at in PLACES:
        around = numpy.lib.stride_tricks.sliding_window_view(other[at - OTHERS : at + OTHERS + LENGTH], LENGTH)
        found += (around == trace[at : at + LENGTH]).all(axis=1).any()
    return found


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_all_traces_are_of_the_same_work(program):
    first = accesses("default", program, 0)
    for placement in ("default", "rank_assignment"):
        for hart in range(4):
            found = pieces_found(first, accesses(placement, program, hart))
            assert found >= FOUND, f"{placement}, hart {hart}"


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_a_trace_that_begins_later_is_of_other_work(program):
    trace = accesses("default", program, 0)
    assert pieces_found(trace, trace[OTHERS + 1 :]) < FOUND


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_a_record_is_of_its_traces_alone(program):
    folder = SMALL / "default" / program
    record = json.loads((folder / "record.json").read_text())
    for name, contents in zip(record["traces"], record["contents"], strict=True):
        assert contents["sha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest()


def test_what_captures_are_made_with_is_told_by_its_contents():
    command = ["sha256sum", "--check", "build/stamps/lab-small-capture"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    checked = {line.removesuffix(": OK") for line in done.stdout.splitlines()}
    assert {"build/lab/capture.so", "build/guest/Image", "sim/lab/programs/capture.py"} <= checked
