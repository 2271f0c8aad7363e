# SPDX-License-Identifier: Apache-2.0
"""tests/run as a program, on suites that pass, fail, crash, hang, report nothing or leave an old report behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent

PASSING = '<testsuites><testsuite><testcase classname="a" name="one"/></testsuite></testsuites>'
FAILING = (
    '<testsuite><testcase name="two"><failure message="1 is not 2"/></testcase><testcase name="three"/></testsuite>'
)
SCALATEST_ERROR = '<testsuite><testcase name="four"><error>thrown</error></testcase></testsuite>'
GOOGLETEST_DISABLED = (
    '<testsuite><testcase name="five" status="notrun"/><testcase name="six" status="run"/></testsuite>'
)
ONLY_SKIPPED = '<testsuite><testcase name="seven"><skipped/></testcase></testsuite>'


def writes(report: str, then: str = "true") -> str:
    """A suite's command that writes the report and ends as `then` does."""
    return f"mkdir -p build/reports && echo '{report}' > build/reports/$NAME.xml && {then}"


@pytest.fixture
def collect(tmp_path):
    """Run tests/run in a tree of its own over the suites {name: command}; give the ended process back."""

    def run(commands: dict[str, str], arguments: tuple[str, ...] = (), limit: float = 1) -> subprocess.CompletedProcess:
        tests = tmp_path / "tests"
        shutil.copytree(
            TESTS / "collector", tests / "collector", ignore=shutil.ignore_patterns("__pycache__", "test_*")
        )
        shutil.copy(TESTS / "run", tests / "run")
        (tests / "suites.toml").write_text(
            "\n".join(
                f'[[suite]]\nname = "{name}"\ncommand = """NAME={name}; {command}"""\n'
                f'reports = "build/reports/{name}.xml"\nminutes = 0.001\nlimit = {limit}\ncores = 1\n'
                for name, command in commands.items()
            )
        )
        return subprocess.run(
            [sys.executable, tests / "run", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )

    return run


def last_line(ended: subprocess.CompletedProcess) -> str:
    return ended.stdout.splitlines()[-1]


def test_passing_suites_are_summed(collect):
    ended = collect({"a": writes(PASSING), "b": writes(GOOGLETEST_DISABLED)})
    assert last_line(ended) == "2 passed, 0 failed"
    assert ended.returncode == 0


@pytest.mark.parametrize(
    ("command", "summary", "told"),
    [
        (writes(FAILING, "exit 1"), "2 passed, 1 failed", "FAILED two: 1 is not 2"),
        (writes(FAILING), "2 passed, 1 failed", "FAILED two: 1 is not 2"),
        (writes(SCALATEST_ERROR, "exit 1"), "1 passed, 1 failed", "FAILED four: thrown"),
        (writes(PASSING, "exit 3"), "2 passed, 1 failed", "the suite ended with exit code 3"),
        (writes(FAILING, "kill -SEGV $$"), "2 passed, 2 failed", "the suite ended with exit code -11"),
        ("exit 1", "1 passed, 1 failed", "the suite ended with exit code 1"),
        ("true", "1 passed, 1 failed", "the suite ran no test"),
        (writes(ONLY_SKIPPED), "1 passed, 1 failed", "the suite ran no test"),
        (writes("<testsuite>"), "1 passed, 1 failed", "unreadable report"),
    ],
    ids=[
        "failed test", "failed test, exit code 0", "error", "all pass, exit code 3", "crash after a report", "crash",
        "no report", "only skipped tests", "broken report",
    ],
)  # fmt: skip
def test_what_goes_wrong_is_counted(collect, command, summary, told):
    ended = collect({"good": writes(PASSING), "bad": command})
    assert last_line(ended) == summary
    assert ended.returncode == 1
    assert told in ended.stdout
    assert "the end of build/tests/bad.log" in ended.stdout


def test_what_fails_is_told_at_once_and_at_the_end(collect):
    said = collect({"bad": f"echo the log; {writes(FAILING)}"}).stdout
    order = [" FAIL bad", "FAILED two: 1 is not 2", "| the log", "│ bad", "FAILED bad: two: 1 is not 2", "passed, 1"]
    places = [said.index(text) for text in order]
    assert places == sorted(places)


def test_a_hung_suite_is_ended_and_counted(collect):
    ended = collect({"hung": "echo waiting; exec tail -f /dev/null"}, limit=0.01)
    assert last_line(ended).endswith("failed")
    assert "ended after its limit of 0.01 minutes" in ended.stdout
    assert "| waiting" in ended.stdout
    assert ended.returncode == 1


def test_a_report_of_an_earlier_run_does_not_count(collect, tmp_path):
    old = tmp_path / "build" / "reports" / "a.xml"
    old.parent.mkdir(parents=True)
    old.write_text(PASSING)
    ended = collect({"a": "true"})
    assert last_line(ended) == "0 passed, 1 failed"


def test_only_the_named_suites_run(collect):
    ended = collect({"a": writes(PASSING), "b": "exit 1"}, arguments=("a",))
    assert last_line(ended) == "1 passed, 0 failed"


def test_an_unknown_suite_is_refused(collect):
    ended = collect({"a": writes(PASSING)}, arguments=("c",))
    assert ended.returncode == 2
    assert "no suite named c; there are a" in ended.stderr
