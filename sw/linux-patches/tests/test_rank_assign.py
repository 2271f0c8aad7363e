# SPDX-License-Identifier: Apache-2.0
"""The KUnit tests of Rank Assignment and the functions that they test, compiled for this machine from the kernel's own
sources: which rank a thread gets. Broken sources must be found out."""

import pytest
from native import KERNEL, every_case_passes, functions, line, part, run
from native import program as native_program


def program(folder, old="", new=""):
    """Path of the tests in `folder`, with the only `old` in the tested functions replaced by `new`."""
    starts = ("void rank_state_measure", "static bool better", "unsigned int rank_state_best")
    header = (KERNEL / "mm" / "rank_assign.h").read_text()
    types = [
        part((KERNEL / "include" / "linux" / "rank_assign.h").read_text(), "struct rank_load {"),
        line(header, "#define RANK_DELAY_SHIFT"),
        part(header, "struct rank_state {"),
    ]
    return native_program(folder, types, functions("mm/rank_assign.c", starts, old, new), "mm/rank_assign_test.c")


def test_each_case_passes(tmp_path):
    every_case_passes(program(tmp_path), cases=6)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rank->delay < other->delay", "rank->delay > other->delay"),
        ("if (by_delay && ", "if ("),
        ("rank->free > other->free", "rank->free < other->free"),
        ("rank->taken != other->taken", "false"),
        ("rank->taken < other->taken", "rank->taken > other->taken"),
        ("i != but && ", ""),
        ("but ? 0 : 1", "0"),
        ("(load->delay - rank->load.delay) & mask", "load->delay & mask"),
        ("(load->delay - rank->load.delay) & mask", "load->delay - rank->load.delay"),
        ("(load->accesses - rank->load.accesses) & mask", "load->accesses - rank->load.accesses"),
        ("\trank->load = *load;\n", ""),
        ("\trank->delay = 0;\n", ""),
    ],
)
def test_broken_sources_are_found_out(tmp_path, old, new):
    assert run(program(tmp_path, old, new))[0] != 0
