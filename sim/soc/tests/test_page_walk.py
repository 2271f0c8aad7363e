# SPDX-License-Identifier: Apache-2.0
"""That Rocket's page walker lets an access go first whose line has come (litex_weir.rocket_walker)."""

import json

import pytest
from conftest import ONE_HART


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    summary = tmp_path_factory.mktemp("walks") / "summary.json"
    done = ONE_HART.boot("page_walk", "--hang-limit", 100_000, "--summary", summary)
    return done, json.loads(summary.read_text())


def test_an_access_before_the_tlbs_end_gets_done(run):
    done, _ = run
    assert done.code == 0, done.console + done.messages
    assert "1023 of 1023 loads" in done.console


def test_walks_are_counted(run):
    """Each load is of code that no entry of the instruction TLB is for, on both sides of where an entry ends; what is
    fetched and not executed makes some more. All data is behind one entry of the root table."""
    _, summary = run
    walks = {name: count for name, (count,) in summary["page_walks"].items()}
    assert 2 * 1023 <= walks["instructions"] <= 3 * 1023, walks
    assert walks["data"] == 1
    # a walk reads the entry of its page; those above, of the root and of eight tables, the walker keeps
    above = walks["reads"] - walks["instructions"] - walks["data"]
    assert 1 + 8 <= above <= 2 * (1 + 8), walks
    assert summary["slowed"]["cycles"] == 0


def test_a_guest_without_page_tables_walks_none(tmp_path):
    summary = tmp_path / "summary.json"
    ONE_HART.boot("exit_word", "--summary", summary)
    assert all(sum(counts) == 0 for counts in json.loads(summary.read_text())["page_walks"].values())
