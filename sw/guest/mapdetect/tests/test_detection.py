# SPDX-License-Identifier: Apache-2.0
"""The detection on DRAMs of which all is known, and on machines that do not let it see enough."""

import random

import maps
import pytest
from dram import Dram
from library import FOLDER, compiled, detect

MAPS = maps.MAPS


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("library") / "detect.so")


def fields_of(found):
    return [found.rank, found.bank, found.row, found.column]


def span(masks):
    """All sums of masks."""
    sums = {0}
    for mask in masks:
        sums |= {mask ^ other for other in sums}
    return sums


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize(
    "machine",
    [{}, {"learns": False}, {"noise": 0.5, "disturbed": 1000}, {"cache_bytes": 0}],
    ids=["rows-learn", "rows-stay", "noise", "no-cache"],
)
def test_every_map_is_found_to_the_bit(library, name, machine):
    place, *expected = MAPS[name]
    found = detect(library, Dram(place, **machine))
    assert found.verdict == "certain"
    assert fields_of(found) == expected
    assert found.measured.predictions == 24


@pytest.mark.parametrize("name", MAPS)
def test_where_no_row_lives_to_see_its_refresh_ranks_are_among_banks(library, name):
    place, rank, bank, *rest = MAPS[name]
    found = detect(library, Dram(place, close_after=64, learns=False))
    assert found.verdict == "ranks_unknown"
    assert span(found.bank) == span(rank + bank)
    assert [found.row, found.column] == rest


@pytest.mark.parametrize("seed", range(4))
def test_functions_of_any_bits_are_found_up_to_numbering(library, seed):
    """Which row of banks is called 0 cannot be timed: only what sums of masks there are."""
    chance = random.Random(seed)
    own = chance.sample(range(6, 20), 4)
    functions = [sorted({bit, *chance.sample(range(20, 31), chance.randrange(3))}) for bit in own]
    rank, *banks = functions
    found = detect(library, Dram(maps.by_parities(rank, banks, 20), seed=seed))
    masks = [sum(1 << bit for bit in chosen) for chosen in functions]
    assert found.verdict == "certain"
    assert span(found.rank) == span(masks[:1])
    assert span(found.rank + found.bank) == span(masks)
    assert found.row == maps.bits(20, 30)
    assert found.column == [1 << bit for bit in range(6, 20) if bit not in own]


def test_channels_are_found_as_ranks(library):
    found = detect(library, Dram(maps.TWO_CHANNELS, stagger=300))
    assert found.verdict == "certain"
    assert span(found.rank) == span([1 << 7, 1 << 17])
    assert span(found.bank) == span([1 << 14, 1 << 15, 1 << 16])


def test_ranks_that_refresh_at_once_are_one(library):
    place, rank, bank, *_ = MAPS["bank_xor"]
    found = detect(library, Dram(place, stagger=0))
    assert (found.verdict, found.rank) == ("certain", [])
    assert span(found.bank) == span(rank + bank)


def test_without_times_of_single_reads_ranks_are_among_banks(library):
    place, rank, bank, *rest = MAPS["bank_interleaved"]
    found = detect(library, Dram(place), single_reads=False, clock=100, rounds=256)
    assert found.verdict == "ranks_unknown"
    assert span(found.bank) == span(rank + bank)
    assert [found.row, found.column] == rest


def test_address_bits_out_of_reach_are_left_out(library):
    place, rank, bank, *_ = MAPS["row_rank_bank_column"]
    found = detect(library, Dram(place), end_bit=22)
    assert (found.verdict, found.rank, found.bank) == ("certain", rank, bank)
    assert found.row == maps.bits(17, 21)


def test_what_a_time_has_beside_reads_does_not_matter(library):
    """As much as opening a row takes in each of 64 reads."""
    place, *expected = MAPS["bank_xor"]
    found = detect(library, Dram(place), beside=64 * 6)
    assert found.verdict == "certain"
    assert fields_of(found) == expected


# What must never be called certain.
@pytest.mark.parametrize(
    ("dram", "verdicts"),
    [
        (Dram(MAPS["bank_xor"][0], close_after=0, learns=False), {"no_contrast"}),
        (Dram(MAPS["bank_xor"][0], hit=35, miss=35, conflict=35, refresh=0), {"no_contrast"}),
        (Dram(maps.not_linear), {"no_contrast", "contradicted", "unsteady", "too_many"}),
        (Dram(MAPS["bank_xor"][0], noise=60.0), {"no_contrast", "unsteady"}),
    ],
    ids=["rows-closed", "no-rows", "not-linear", "drowned"],
)
def test_what_cannot_be_seen_is_not_certain(library, dram, verdicts):
    found = detect(library, dram)
    assert found.verdict in verdicts
    assert fields_of(found) == [[], [], [], []]


def test_lines_that_are_not_there_are_told(library):
    found = detect(library, Dram(MAPS["bank_xor"][0]), reachable=(1 << 20) - 1)
    assert (found.verdict, found.measured.doubtful) == ("no_pairs", 1 << 20)


# Each spoils the method, and a test above must see it.
@pytest.mark.parametrize(
    ("part", "text", "broken"),
    [
        ("conflicts.c", " || conflicts_between(conflicts, difference ^ conflicts->conflicting)", ""),
        (
            "conflicts.c",
            "reads.count = MOST_READS / 2;",
            "reads.count = MOST_READS / 2; } else { reads.offsets[2] = reads.offsets[3] = 0;",
        ),
        ("conflicts.c", "reads.rounds *= 2;", ""),
        ("ranks.c", "return SAME;", "return OTHER;"),
        ("masks.c", "masks[other] ^= mask;", "masks[other] |= mask;"),
        ("detect.c", "classes->of_bit[bit] = set;", "classes->of_bit[bit] = 0;"),
    ],
)
def test_a_broken_detection_is_seen(tmp_path, part, text, broken):
    source = (FOLDER / part).read_text()
    assert text in source
    (tmp_path / part).write_text(source.replace(text, broken))
    library = compiled(tmp_path / "broken.so", {part: tmp_path / part})
    right = 0
    for place, *expected in MAPS.values():
        found = detect(library, Dram(place), beside=64 * 6)
        right += found.verdict == "certain" and fields_of(found) == expected
    place = maps.by_parities([12, 16, 21], [[8, 16], [9, 12], [10, 22]], 16)
    found = detect(library, Dram(place))
    masks = [0x211000, 0x10100, 0x1200, 0x400400]
    right += found.verdict == "certain" and span(found.rank + found.bank) == span(masks)
    assert right < len(MAPS) + 1
