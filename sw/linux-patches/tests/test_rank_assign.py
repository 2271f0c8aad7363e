# SPDX-License-Identifier: Apache-2.0
"""The KUnit tests of Rank Assignment and the functions that they test, compiled for this machine from the kernel's own
sources: which node a thread gets. Broken sources must be found out."""

import pytest
from native import KERNEL, every_case_passes, functions, line, part, run
from native import program as native_program


def program(folder, old="", new=""):
    """Path of the tests in `folder`, with the only `old` in the tested functions replaced by `new`."""
    starts = ("void rank_state_measure", "static bool better", "int rank_state_best")
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
        ("return delay < delay_there", "return delay > delay_there"),
        ("READ_ONCE(rank->measured) && ", ""),
        ("READ_ONCE(other->measured) &&", ""),
        ("READ_ONCE(rank->free) > READ_ONCE(other->free)", "READ_ONCE(rank->free) < READ_ONCE(other->free)"),
        ("if (taken)", "if (false)"),
        ("return taken < 0", "return taken > 0"),
        ("node != but && ", ""),
        ("(load->delay - rank->load.delay) & mask", "load->delay & mask"),
        ("(load->delay - rank->load.delay) & mask", "load->delay - rank->load.delay"),
        ("(load->accesses - rank->load.accesses) & mask", "load->accesses - rank->load.accesses"),
        ("\trank->load = *load;\n", ""),
        ("\tWRITE_ONCE(rank->measured, true);\n", ""),
        ("u64 mean = 0;", "u64 mean = 1;"),
    ],
)
def test_broken_sources_are_found_out(tmp_path, old, new):
    assert run(program(tmp_path, old, new))[0] != 0
