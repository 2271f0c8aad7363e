# SPDX-License-Identifier: Apache-2.0
"""What a suite's JUnit XML says: how many tests passed, which failed.

ScalaTest (through Mill), GoogleTest, pytest and cocotb all write `testcase` elements; a `failure` or `error` inside
means failed, `skipped` or GoogleTest's status `notrun` means not run.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Outcome:
    """The tests of one suite. Failures are one line each: the test and the first line of its message."""

    passed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)


def _failure_line(case: ElementTree.Element, failure: ElementTree.Element) -> str:
    test = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
    message = (failure.get("message") or failure.text or "").strip().splitlines()
    return f"{test}: {message[0]}" if message else test


def _add(report: Path, outcome: Outcome) -> None:
    for case in ElementTree.parse(report).iter("testcase"):
        failure = next((child for child in case if child.tag in ("failure", "error")), None)
        if failure is not None:
            outcome.failures.append(_failure_line(case, failure))
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            outcome.skipped += 1
        else:
            outcome.passed += 1


def _killed(exit_code: int) -> bool:
    """A signal ended the process (negative, as Python says it) or a child of the shell (128 + signal)."""
    return exit_code < 0 or exit_code > 128


def read(reports: Iterable[Path], exit_code: int) -> Outcome:
    """Count the tests in the reports of a suite that ended with exit_code.

    A suite must not look better than it was. These are one failure each: a report that cannot be read, no test at all,
    an end by a signal, and any other exit code than 0 that no failed test explains.
    """
    outcome = Outcome()
    for report in reports:
        try:
            _add(report, outcome)
        except (ElementTree.ParseError, OSError) as error:
            outcome.failures.append(f"unreadable report {report}: {error}")
    if _killed(exit_code) or (exit_code != 0 and not outcome.failures):
        outcome.failures.append(f"the suite ended with exit code {exit_code}")
    elif outcome.passed == 0 and not outcome.failures:
        outcome.failures.append("the suite ran no test")
    return outcome
