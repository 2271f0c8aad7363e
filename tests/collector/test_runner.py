# SPDX-License-Identifier: Apache-2.0
"""How suites share the cores."""

import asyncio

import pytest

from collector import runner
from collector.suites import Suite


def peak(suites, tmp_path, cores=2):
    """Build and run the suites; the most cores that their runs had in use at once, and the order of their starts."""
    in_use, most, order = 0, 0, []

    def started(suite, phase):
        nonlocal in_use, most
        if phase == "run":
            in_use += suite.cores
            most = max(most, in_use)
            order.append(suite.name)

    def ended(result):
        nonlocal in_use
        in_use -= result.suite.cores

    asyncio.run(runner.run(suites, tmp_path, cores, runner.Listener(started=started, ended=ended)))
    return most, order


def suite(name, cores, command="sleep 0.2"):
    return Suite(name=name, build="true", command=command, reports="build/none.xml", minutes=1, limit=1, cores=cores)


def test_two_small_suites_run_at_once_and_no_third(tmp_path):
    assert peak([suite(name, 1, "sleep 3") for name in "abc"], tmp_path) == (2, ["a", "b", "c"])


def test_a_suite_of_two_cores_runs_alone_and_a_small_one_goes_before_it(tmp_path):
    suites = [suite("a", 1, "sleep 3"), suite("both", 2), suite("c", 1)]
    assert peak(suites, tmp_path) == (2, ["a", "c", "both"])


@pytest.mark.parametrize("cores", [1, 2, 4])
def test_results_come_for_every_suite(tmp_path, cores):
    suites = [suite(name, 1) for name in "abcd"]
    results = asyncio.run(runner.run(suites, tmp_path, cores, runner.Listener()))
    assert sorted(result.suite.name for result in results) == list("abcd")
