# SPDX-License-Identifier: Apache-2.0
"""How suites share the cores."""

import asyncio

import pytest

from collector import runner
from collector.suites import Suite


def peak(suites, tmp_path, cores=2):
    """Run the suites; the most cores in use at once, and the names in the order of their start."""
    in_use, most, order = 0, 0, []

    def started(suite):
        nonlocal in_use, most
        in_use += suite.cores
        most = max(most, in_use)
        order.append(suite.name)

    def ended(result):
        nonlocal in_use
        in_use -= result.suite.cores

    asyncio.run(runner.run(suites, tmp_path, cores, started, ended))
    return most, order


def suite(name, cores):
    return Suite(name=name, command="true", reports="build/none.xml", minutes=1, limit=1, cores=cores)


def test_two_small_suites_run_at_once_and_no_third(tmp_path):
    assert peak([suite("a", 1), suite("b", 1), suite("c", 1)], tmp_path) == (2, ["a", "b", "c"])


def test_a_suite_of_two_cores_runs_alone_and_a_small_one_goes_before_it(tmp_path):
    assert peak([suite("a", 1), suite("both", 2), suite("c", 1)], tmp_path) == (2, ["a", "c", "both"])


@pytest.mark.parametrize("cores", [1, 2])
def test_results_come_for_every_suite(tmp_path, cores):
    suites = [suite(name, 1) for name in "abcd"]
    results = asyncio.run(runner.run(suites, tmp_path, cores, lambda _: None, lambda _: None))
    assert sorted(result.suite.name for result in results) == list("abcd")
