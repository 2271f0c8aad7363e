# SPDX-License-Identifier: Apache-2.0
"""tests/run as a program, on suites that pass, fail, crash, hang, report nothing or leave an old report behind, whose
build fails, and when it is ended itself."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
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


ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}


def writes(report: str, then: str = "true") -> str:
    """A suite's command that writes the report and ends as `then` does."""
    return f"mkdir -p build/reports && echo '{report}' > build/reports/$NAME.xml && {then}"


@pytest.fixture
def tree(tmp_path):
    """Make a tree of its own with suites {name: command}, built by {name: command}; the path of its tests/run."""

    def make(commands: dict[str, str], builds: dict[str, str], limit: float) -> Path:
        tests = tmp_path / "tests"
        shutil.copytree(
            TESTS / "collector", tests / "collector", ignore=shutil.ignore_patterns("__pycache__", "test_*")
        )
        shutil.copy(TESTS / "run", tests / "run")
        (tests / "rooms.toml").touch()
        (tests / "suites.toml").write_text(
            "\n".join(
                f'[[suite]]\nname = "{name}"\nbuild = """{builds.get(name, "true")}"""\n'
                f'command = """NAME={name}; {command}"""\n'
                f'reports = "build/reports/{name}.xml"\nminutes = 0.001\nlimit = {limit}\ncores = 1\n'
                for name, command in commands.items()
            )
        )
        return tests / "run"

    return make


@pytest.fixture
def collect(tree, tmp_path):
    """Run tests/run in such a tree; give the ended process back."""

    def run(
        commands: dict[str, str],
        arguments: tuple[str, ...] = (),
        limit: float = 1,
        builds: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, tree(commands, builds or {}, limit), *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=ENVIRONMENT,
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


@pytest.mark.parametrize("hangs", ["exec tail -f /dev/null", "while :; do :; done"], ids=["waits", "spins"])
def test_a_hung_suite_is_ended_and_counted(collect, hangs):
    ended = collect({"hung": f"echo waiting; {hangs}"}, limit=0.03)
    assert last_line(ended).endswith("failed")
    assert "the suite was ended: nothing came from it for 0.03 minutes of the processor" in ended.stdout
    assert "| waiting" in ended.stdout
    assert ended.returncode == 1


def test_a_slow_suite_that_goes_on_is_not_ended(collect):
    # four times its limit, but never silent for so long
    ended = collect({"slow": f"for i in $(seq 24); do echo $i; sleep 0.3; done; {writes(PASSING)}"}, limit=0.03)
    assert last_line(ended) == "1 passed, 0 failed"


def test_a_suite_whose_build_fails_is_not_run_and_counts_as_failed(collect, tmp_path):
    ended = collect(
        {"a": f"touch ran; {writes(PASSING)}", "b": writes(PASSING)}, builds={"a": "echo no compiler; exit 2"}
    )
    assert last_line(ended) == "1 passed, 1 failed"
    assert "FAILED the build ended with exit code 2" in ended.stdout
    assert "| no compiler" in ended.stdout
    assert not (tmp_path / "ran").exists()


def test_every_suite_is_built_before_it_runs_and_one_at_a_time(collect, tmp_path):
    build = "mkdir lock && sleep 0.2 && rmdir lock && touch built-{0}"
    names = "abc"
    ended = collect(
        {name: f"test -e built-{name} && {writes(PASSING)}" for name in names},
        builds={name: build.format(name) for name in names},
    )
    assert last_line(ended) == "3 passed, 0 failed"


def test_where_the_time_went_is_written(collect, tmp_path):
    step = "mkdir -p build/durations && echo '7 5.5' > build/durations/compile"
    spin = "for i in $(seq 100000); do :; done; bash -c 'for i in $(seq 100000); do :; done'"
    collect({"a": f"{spin}; {writes(PASSING)}", "b": "exit 1"}, builds={"a": f"{step}; sleep 0.2", "b": "exit 1"})
    kept = json.loads((tmp_path / "build" / "results" / "test_time.json").read_text())
    a, b = (next(row for row in kept["rows"] if row["suite"] == name) for name in "ab")
    assert a["build"] >= 0.2 and a["run"] > 0 and a["run_cpu"] > 0 and a["passed"] == 1
    assert b["run"] is None and b["failed"] == 1
    assert kept["steps"] == [{"step": "compile", "seconds": 7, "cpu": 5.5}]
    assert kept["seconds"] >= a["build"]


def lives(pid: int) -> bool:
    """Whether there is such a process that has not ended; one that nobody has waited for yet has."""
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_ends_all_that_was_started(tree, tmp_path, number):
    # of suite b only the build is under way; a shell with job control gives each command a process group of its own
    command = "set -m; sleep 1001 & echo $! > {0}.new; mv {0}.new {0}; wait"
    run = tree({"a": command.format("a"), "b": "true"}, {"b": command.format("b")}, 1)
    with subprocess.Popen([sys.executable, run], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as process:
        files = [tmp_path / name for name in "ab"]
        while not all(file.exists() for file in files):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
    assert process.returncode == 130
    assert not any(lives(int(file.read_text())) for file in files)


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
