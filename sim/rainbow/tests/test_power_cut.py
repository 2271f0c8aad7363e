# SPDX-License-Identifier: Apache-2.0
"""What is made of the consoles of runs whose power is cut, and which cycles it is cut in."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "sim" / "rainbow")]

import power_cut  # noqa: E402
from power_cut import Found  # noqa: E402


def console(first, then, torn=()):
    """Of a recovery that finds some records, appends one, and finds others."""
    lines = [f"record {number}" for number in first] + [f"torn place {place}" for place in torn]
    lines += [f"last {max(first, default=0)}", "journal begins", "+", "journal ends"]
    lines += [f"record {number}" for number in then]
    lines += [f"record {number}" for number in then]
    return "\n".join([*lines, f"last {max(then, default=0)}", ""])


def test_a_journal_is_found_and_appended_to():
    text = console([8, 9, 10, 11, 4, 5, 6, 7], [8, 9, 10, 11, 12, 5, 6, 7])
    assert power_cut.found(text) == Found(frozenset(range(4, 12)), 0, True)


def test_the_record_that_goes_over_a_torn_one_is_the_next():
    text = console([8, 9, 10, 11, 5, 6, 7], [8, 9, 10, 11, 12, 5, 6, 7], torn=[4])
    assert power_cut.found(text) == Found(frozenset(range(5, 12)), 1, True)


def test_an_empty_journal_gets_its_first_record():
    assert power_cut.found(console([], [1])) == Found(frozenset(), 0, True)


@pytest.mark.parametrize("then", [[8, 9, 10, 11, 5, 6, 7], [8, 9, 10, 11, 12, 5, 6], []])
def test_a_record_that_is_not_appended_or_gets_lost_is_told(then):
    assert not power_cut.found(console([8, 9, 10, 11, 4, 5, 6, 7], then)).appended


@pytest.mark.parametrize(
    ("records", "torn", "wrong"),
    [
        (range(4, 12), 0, ""),
        # the twelfth was being written, or was written and not yet told
        (range(5, 12), 1, ""),
        (range(5, 13), 0, ""),
        (range(4, 11), 0, "lost 11 of 11"),
        ([4, 5, 7, 8, 9, 10, 11], 1, "lost 6 of 11"),
        (range(5, 14), 0, "found 13 after 11"),
        (range(3, 12), 0, "found 3 after 11"),
        (range(5, 12), 2, "2 torn records"),
    ],
)
def test_what_was_synced_must_be_found(records, torn, wrong):
    assert power_cut.lost(11, Found(frozenset(records), torn, True)) == wrong


def test_of_few_records_each_must_be_found():
    assert power_cut.lost(3, Found(frozenset({1, 2, 3}), 0, True)) == ""
    assert power_cut.lost(3, Found(frozenset({2, 3}), 0, True)) == "lost 1 of 3"
    assert power_cut.lost(0, Found(frozenset(), 1, True)) == ""
    assert power_cut.lost(0, Found(frozenset(), 1, False)) == "could not append"


def test_records_are_counted_as_they_are_told():
    text = b"1 + 1\r\nlast 0\r\njournal begins\r\n+++"
    assert [power_cut.synced_until(text, count) for count in (0, 3, len(text) - 2, len(text))] == [0, 0, 1, 3]


def test_cycles_are_chosen_by_their_seed():
    syncs = [5_000_000, 6_000_000]
    chosen = power_cut.choose(40, 1, 4_000_000, 7_000_000, syncs)
    assert chosen == power_cut.choose(40, 1, 4_000_000, 7_000_000, syncs)
    assert chosen != power_cut.choose(40, 2, 4_000_000, 7_000_000, syncs)
    assert len(set(chosen)) == 40 and chosen == sorted(chosen)
    assert chosen[0] >= 4_000_000 and chosen[-1] < 7_000_000
    directed = [cycle for cycle in chosen if any(0 <= cycle - sync < power_cut.SOON for sync in syncs)]
    assert len(directed) >= 15
