# SPDX-License-Identifier: Apache-2.0
"""What is captured: the same work of each copy, and under each placement."""

import subprocess

import pytest
from lab_program import ROOT

LAB = ROOT / "build" / "lab"
HARTS = 4
AT, LENGTH = 200_000, 40
"""Where in a trace a piece of it is taken, and how long it is."""
APART = {"default": 4_000, "rank_assignment": 40_000}
"""How far from there it may be in another trace: they differ by the blocks that a hart executes while it waits for
others, and by what the kernel accesses, which is more where it looks for a rank."""


def accesses(placement, program, hart, folder):
    """Loads and stores, with their places in a page, which are the same wherever the page lies."""
    trace, text = LAB / "small" / "traces" / placement / program / f"hart-{hart}.trace.zst", folder / f"{hart}"
    subprocess.run([LAB / "convert", "--from", f"weir:{trace}", "--to", f"load_store:{text}"], check=True)
    return [f"{kind} {int(address, 16) % 4096:03x}" for kind, address in map(str.split, text.read_text().splitlines())]


@pytest.mark.parametrize("program", ["gups", "set_cover"])
def test_all_traces_are_of_the_same_work(program, tmp_path):
    piece = None
    for placement, apart in APART.items():
        for hart in range(HARTS):
            found = accesses(placement, program, hart, tmp_path)
            piece = piece or "\n".join(found[AT : AT + LENGTH])
            assert piece in "\n".join(found[AT - apart : AT + apart + LENGTH]), f"{placement}, hart {hart}"
