# SPDX-License-Identifier: Apache-2.0
"""The KUnit tests of ViPZonE and the functions that they test, compiled for this machine from the kernel's own sources:
which ranks are asked for. Broken sources must be found out."""

import pytest
from native import KERNEL, every_case_passes, functions, line, part, run
from native import program as native_program


def program(folder, old="", new=""):
    """Path of the tests in `folder`, with the only `old` in the tested functions replaced by `new`."""
    header = (KERNEL / "mm" / "vipzone.h").read_text()
    types = [
        line((KERNEL / "include" / "linux" / "page_colour.h").read_text(), "#define PAGE_COLOUR_SETS"),
        part(header, "enum vip_access {"),
        part(header, "struct vip_rank {"),
    ]
    starts = ("void vip_sort", "unsigned int vip_low_power_first")
    return native_program(folder, types, functions("mm/vipzone.c", starts, old, new), "mm/vipzone_test.c")


def test_each_case_passes(tmp_path):
    every_case_passes(program(tmp_path), cases=6)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("power[access] > power; at--", "power[access] < power; at--"),
        ("power[access] > power; at--", "power[access] >= power; at--"),
        ("if (least == most)", "if (nr == 1)"),
        ("(reserve ? most : least)", "least"),
        ("(reserve ? most : least)", "most"),
        ("rest |= rank->set", "rest = rank->set"),
        ("!rank->free || ", ""),
        ("rank->free * 100 < rank->pages * reserve", "rank->free * 100 <= rank->pages * reserve"),
        ("rank->free * 100 < rank->pages * reserve", "rank->free < reserve"),
        ("|| power != last", "|| (power != last && nr_sets > 1)"),
        ("!nr_sets || power != last", "power || power != last"),
        ("nr_sets == PAGE_COLOUR_SETS", "nr_sets == 1"),
        ("sets[nr_sets - 1] |= rank->set", "sets[nr_sets - 1] = rank->set"),
        ("\tif (!nr_sets)\n\t\tsets[nr_sets++] = rest;\n", ""),
    ],
)
def test_broken_sources_are_found_out(tmp_path, old, new):
    assert run(program(tmp_path, old, new))[0] != 0
