# SPDX-License-Identifier: Apache-2.0
"""What is captured: the same work of each copy, and under each placement."""

import subprocess

import pytest
from lab_program import ROOT

LAB = ROOT / "build" / "lab"
HARTS = 4
PLACES, LENGTH = range(60_000, 270_000, 3_000), 20
"""Where in a trace pieces of it are taken, and how long they are."""
FOUND = len(PLACES) / 2
"""So many of them at least must be in another trace: those that are of the kernel need not be."""
APART = {"default": 400, "rank_assignment": 40_000}
"""How far from its place a piece may be in another trace: what the kernel accesses differs, and is more where it looks
for a rank."""


def accesses(placement, program, hart, folder):
    """Loads and stores, with their places in a page, which are the same wherever the page lies."""
    trace, text = LAB / "small" / "traces" / placement / program / f"hart-{hart}.trace.zst", folder / f"{hart}"
    subprocess.run([LAB / "convert", "--from", f"weir:{trace}", "--to", f"load_store:{text}"], check=True)
    return [f"{kind} {int(address, 16) % 4096:03x}" for kind, address in map(str.split, text.read_text().splitlines())]


def pieces_found(trace, other, apart):
    """How many pieces of a trace are in the other one, so far from their places at most."""
    text = [" ".join(other[max(0, at - apart) : at + apart + LENGTH]) for at in PLACES]
    return sum(" ".join(trace[at : at + LENGTH]) in around for at, around in zip(PLACES, text, strict=True))


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_all_traces_are_of_the_same_work(program, tmp_path):
    first = accesses("default", program, 0, tmp_path)
    for placement, apart in APART.items():
        for hart in range(HARTS):
            found = pieces_found(first, accesses(placement, program, hart, tmp_path), apart)
            assert found >= FOUND, f"{placement}, hart {hart}"


def test_a_trace_that_begins_later_is_of_other_work(tmp_path):
    trace = accesses("default", "gups", 0, tmp_path)
    assert pieces_found(trace, trace[2 * APART["default"] :], APART["default"]) < FOUND
