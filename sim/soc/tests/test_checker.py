# SPDX-License-Identifier: Apache-2.0
"""A guest that makes the DRAM see an activate too soon after a refresh: both checkers name it."""

from conftest import ONE_HART

VIOLATION = 125


def test_a_broken_rule_ends_the_simulation():
    run = ONE_HART.boot("early_activate")
    assert run.code == VIOLATION, run.console + run.messages
    assert "tRFC" in run.messages


def test_tolerated_violations_are_counted_and_litedrams_checker_sees_them_too():
    run = ONE_HART.boot("early_activate", "--tolerate-violations")
    assert run.code == 0, run.console + run.messages
    assert "REF->ACT violation on bank 0" in run.console
    assert "tRFC" in run.console  # our checker's summary at the end
