# SPDX-License-Identifier: Apache-2.0
"""How many ranks are refreshed at once."""

import choices
import experiment
import pytest
import refresh_overlap

SMALL = experiment.BUILD / "lab" / "small" / "traces"


def test_overlaps_are_counted():
    # clocks 2 to 5, 4 to 7 and 4 to 7 of ten
    assert refresh_overlap.shares([2, 4, 4], 4, 3, 10) == [0.4, 0.2, 0.2, 0.2]
    assert refresh_overlap.shares([], 4, 2, 10) == [1, 0, 0]


def of(policy):
    policy = choices.policies()[policy]
    placement = experiment.placements.load()["default"]
    return experiment.Run(choices.machines()["paper"], policy, placement, "gups", 1, SMALL)


@pytest.mark.parametrize(
    ("policy", "clocks"), [("staggered", 512), ("fine_4x", 280), ("fine_4x_optimistic", 128), ("fine_2x", 384)]
)
def test_a_refresh_takes_as_long_as_the_part_or_the_policy_has_it(policy, clocks):
    assert refresh_overlap.refresh_time(of(policy)) == clocks


def test_ranks_are_refreshed_one_after_the_other_or_all_at_once():
    """Of four ranks each for 640 ns in 3.9 us."""
    staggered, simultaneous = refresh_overlap.measured(of("staggered")), refresh_overlap.measured(of("simultaneous"))
    assert sum(staggered[2:]) == 0
    assert staggered[1] == pytest.approx(4 * 640 / 3900, rel=0.02)
    assert sum(number * share for number, share in enumerate(simultaneous)) == pytest.approx(4 * 640 / 3900, rel=0.02)
    assert simultaneous[4] > 0.9 * (1 - simultaneous[0])
