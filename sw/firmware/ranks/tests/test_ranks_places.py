# SPDX-License-Identifier: Apache-2.0
"""Where the memory of each hart lies, by an address that is taken apart field by field."""

import ctypes
import subprocess
from pathlib import Path

import pytest

HEADER = Path(__file__).resolve().parents[1] / "places.h"
ROW_BYTES, BANKS, ROWS = 8192, 8, 1 << 14
KIB = 1024


def fields(offset, ranks):
    """Column byte, bank, rank and row of a byte of memory, with the map rank | row | bank | column."""
    offset, column = divmod(offset, ROW_BYTES)
    offset, bank = divmod(offset, BANKS)
    rank, row = divmod(offset, ROWS)
    assert rank < ranks
    return column, bank, rank, row


@pytest.fixture(scope="module")
def place_of(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    (folder / "places.c").write_text(
        f'#include "{HEADER}"\n'
        "uint64_t place(uint32_t ranks, bool own_rank, unsigned hart, uint32_t byte) {\n"
        f"  const struct geometry geometry = {{{ROW_BYTES}, {BANKS}, {ROWS}, ranks}};\n"
        "  return place_of(placement_of(&geometry, own_rank, hart), byte);\n}\n"
    )
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run(["gcc", *flags, "-o", folder / "places.so", folder / "places.c"], check=True)
    place = ctypes.CDLL(str(folder / "places.so")).place
    place.restype = ctypes.c_uint64
    return place


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("hart", range(4))
def test_memory_of_a_hart_is_in_its_rank_alone(place_of, ranks, hart):
    lines = [fields(place_of(ranks, True, hart, byte), ranks) for byte in range(0, 512 * KIB, 64)]
    assert len(set(lines)) == 512 * KIB // 64
    assert {rank for _, _, rank, _ in lines} == {hart % ranks}
    assert {bank for _, bank, _, _ in lines} == set(range(BANKS))
    assert {row for _, _, _, row in lines} == set(range(512 * KIB // ROW_BYTES // BANKS))


@pytest.mark.parametrize("ranks", [2, 4])
def test_memory_in_all_ranks_has_as_much_of_each(place_of, ranks):
    lines = [fields(place_of(ranks, False, 3, byte), ranks) for byte in range(0, 512 * KIB, 64)]
    assert len(set(lines)) == 512 * KIB // 64
    for rank in range(ranks):
        for bank in range(BANKS):
            assert sum(place[1:3] == (bank, rank) for place in lines) == 512 * KIB // 64 // ranks // BANKS
    assert {row for _, _, _, row in lines} == set(range(512 * KIB // ROW_BYTES // BANKS // ranks))
