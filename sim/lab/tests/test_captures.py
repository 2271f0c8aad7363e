# SPDX-License-Identifier: Apache-2.0
"""What is captured: the same work of each copy, and under each placement."""

import json
import subprocess

import pytest
from lab_program import ROOT

LAB = ROOT / "build" / "lab"
PLACES, LENGTH = range(60_000, 270_000, 3_000), 40
"""Where in a trace pieces of it are taken, and how long they are."""
FOUND = len(PLACES) / 2
"""So many of them at least must be in another trace: those that are of the kernel need not be."""


def folder_of(placement, program):
    return LAB / "small" / "traces" / placement / program


def accesses(placement, program, hart, folder):
    """Loads and stores, with their places in a page, which are the same wherever the page lies."""
    trace, text = folder_of(placement, program) / f"hart-{hart}.trace.zst", folder / f"{hart}"
    subprocess.run([LAB / "convert", "--from", f"weir:{trace}", "--to", f"load_store:{text}"], check=True)
    return [f"{kind} {int(address, 16) % 4096:03x}" for kind, address in map(str.split, text.read_text().splitlines())]


def of_kernel(placement, program):
    """How many accesses of each hart's trace are the kernel's: so far may its others be from their places."""
    record = json.loads((folder_of(placement, program) / "record.json").read_text())
    return [hart["kernel"] for hart in record["contents"]]


def pieces_found(trace, other, apart):
    """How many pieces of a trace are in the other one, so far from their places at most."""
    text = [" ".join(other[max(0, at - apart) : at + apart + LENGTH]) for at in PLACES]
    return sum(" ".join(trace[at : at + LENGTH]) in around for at, around in zip(PLACES, text, strict=True))


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_all_traces_are_of_the_same_work(program, tmp_path):
    first, of_first = accesses("default", program, 0, tmp_path), of_kernel("default", program)[0]
    for placement in ("default", "rank_assignment"):
        for hart, of_hart in enumerate(of_kernel(placement, program)):
            found = pieces_found(first, accesses(placement, program, hart, tmp_path), max(of_first, of_hart))
            assert found >= FOUND, f"{placement}, hart {hart}"


def test_a_trace_that_begins_later_is_of_other_work(tmp_path):
    trace, apart = accesses("default", "gups", 0, tmp_path), of_kernel("default", "gups")[0]
    assert pieces_found(trace, trace[apart + 1 :], apart) < FOUND
