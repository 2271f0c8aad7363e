# SPDX-License-Identifier: Apache-2.0
"""Where the program must lie before the map changes, by maps that take addresses apart by division."""

import ctypes
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "sw" / "guest" / "mapdetect" / "tests"))
import maps  # noqa: E402

NAMES = [*maps.MAPS]
SOURCES = [ROOT / "sw/firmware/mapdetect/places.c", ROOT / "sw/guest/mapdetect/masks.c"]


class Masks(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_uint32), ("bank", ctypes.c_uint32 * 3)]


def masks(name):
    _, rank, bank, *_ = maps.MAPS[name]
    return Masks(rank[0], (ctypes.c_uint32 * 3)(*bank))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    output = tmp_path_factory.mktemp("places") / "places.so"
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run(["gcc", *flags, "-o", output, *SOURCES], check=True)
    return ctypes.CDLL(str(output))


@pytest.mark.parametrize("new", NAMES)
@pytest.mark.parametrize("old", NAMES)
def test_a_line_lies_under_the_old_map_where_the_new_one_looks_for_it(library, old, new):
    chance = random.Random(1)
    for offset in [*range(0x20_0000, 0x20_8000, 64), *(chance.randrange(1 << 31) for _ in range(500))]:
        before = library.offset_before(ctypes.byref(masks(old)), ctypes.byref(masks(new)), offset) & 0xFFFF_FFFF
        assert maps.MAPS[old][0](before) == maps.MAPS[new][0](offset), hex(offset)
        assert before % 64 == offset % 64
