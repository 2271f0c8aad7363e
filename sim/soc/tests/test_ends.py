# SPDX-License-Identifier: Apache-2.0
"""Ends of a run that the guest did not choose, and what the summary says of a run."""

import json

import pytest
from conftest import ONE_HART

LIMIT, FILE, USAGE = 124, 123, 2
HANG, FAIL, CONSOLE = 120, 121, 122


def scripted(machine, folder, script, *options):
    """The machine that waits for its script, and what its end is told to be."""
    (folder / "script").write_text(script)
    run = ONE_HART.run(
        "--resume", machine.frozen, "--script", folder / "script", "--summary", folder / "summary", *options
    )
    return run, json.loads((folder / "summary").read_text())


def test_a_hang_ends_the_run(machine, tmp_path):
    run, summary = scripted(machine, tmp_path, "h", "--hang-limit", 20_000)
    assert run.code == summary["exit_code"] == HANG
    assert "no hart has retired an instruction since cycle" in run.messages
    assert 20_000 <= summary["cycles"] - summary["first_cycle"] < 40_000


def test_without_a_limit_a_hang_goes_on(machine, tmp_path):
    begin = machine.summary("booted")["cycles"]
    run, summary = scripted(machine, tmp_path, "h", "--hang-limit", 0, "--cycles", begin + 60_000)
    assert (run.code, summary["first_cycle"]) == (LIMIT, begin)


def test_a_text_on_the_console_ends_the_run_with_its_line(machine, tmp_path):
    options = ("--fail-on", "not there", "--fail-on", "Kernel panic")
    run, summary = scripted(machine, tmp_path, "pw", *options)
    assert run.code == summary["exit_code"] == FAIL
    assert "the console has 'Kernel panic'" in run.messages
    assert run.console.endswith("Kernel panic - not syncing: as told\n")


def test_a_console_without_end_ends_the_run(machine, tmp_path):
    run, summary = scripted(machine, tmp_path, "e", "--console-limit", 300)
    assert run.code == summary["exit_code"] == CONSOLE
    assert "the console has more than 300 bytes" in run.messages
    assert 300 < len(run.console) < 2000


@pytest.mark.parametrize("option", ["--command-trace", "--axi-log"])
def test_a_disk_that_fills_up_ends_the_run_in_an_error(option, machine, tmp_path):
    """What goes to each of these files outgrows what a file may have; the summary does not, and tells of it."""
    file, summary = tmp_path / "file", tmp_path / "summary"
    run = ONE_HART.run("--resume", machine.frozen, option, file, "--summary", summary, largest_file=8192)
    found = json.loads(summary.read_text())
    assert run.code == found["exit_code"] == FILE, run.messages
    assert str(file) in run.messages
    assert "a file could not be written whole" in found["why"]


def test_a_waveform_that_fills_the_disk_ends_the_run_in_an_error(machine, tmp_path):
    """Its writer goes no further, so there is no summary."""
    file, stop = tmp_path / "file", machine.summary("ended")["first_cycle"] + 1000
    run = ONE_HART.run("--resume", machine.frozen, "--trace", file, "--trace-stop", stop, largest_file=8192)
    assert run.code == FILE, run.messages
    assert f"{file}: the waveform could not be written; is the disk full?" in run.messages


def test_summary(machine, tmp_path):
    marks = ("--mark", "script has", "--mark", 'guest "ends"', "--mark", "guest ends", "--mark", "goes on")
    run, summary = scripted(machine, tmp_path, "wX5", *marks, "--progress", "60")
    assert run.code == summary["exit_code"] == 5
    assert summary["why"] == "the guest ended with exit code 5"
    seen = summary["marks"]
    assert list(seen) == ["script has", 'guest "ends"', "guest ends", "goes on"]
    assert seen['guest "ends"'] is None
    assert summary["first_cycle"] < seen["goes on"] < seen["script has"] < seen["guest ends"] < summary["cycles"]
    (told,) = (line for line in run.console.splitlines() if line.startswith("sum "))
    _, _, cycles, _, instructions, _ = told.replace(",", "").split()
    assert int(cycles) < summary["cycles"]
    # the hart's own counter, read before the line was printed, and the instructions since
    assert 0 < summary["instructions"][0] - int(instructions) < 20_000
    assert len(summary["instructions"]) == 1
    assert f"{summary['instructions'][0] / 1e6:.2f} M instructions" in run.messages
    assert summary["violations"] == 0
    assert summary["seconds"] > 0
    ranks = summary["dram"]["ranks"]
    assert len(ranks) == 2
    assert all(rank["whole_refreshes"] > 0 for rank in ranks)
    # the rank is on top, and the program is in the first
    assert ranks[0]["activates"] > 0 and ranks[0]["reads"] > 0
    assert ranks[1]["activates"] == ranks[1]["reads"] == ranks[1]["writes"] == 0


def test_marks_are_found_from_power_on(tmp_path):
    summary = tmp_path / "summary"
    run = ONE_HART.run("--cycles", 60_000, "--mark", "Build your hardware", "--summary", summary)
    assert run.code == LIMIT
    found = json.loads(summary.read_text())
    assert (found["first_cycle"], found["cycles"], found["why"]) == (0, 60_000, "cycle limit")
    assert found["marks"]["Build your hardware"] < 60_000


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--mark", ""], USAGE, "--mark: the text is empty"),
        (["--fail-on", ""], USAGE, "--fail-on: the text is empty"),
        (["--hang-limit", "long"], USAGE, "--hang-limit: 'long' is not a number"),
        (["--console-limit", "-1"], USAGE, "--console-limit: '-1' is not a number"),
        (["--summary", "/nowhere/x"], FILE, "--summary: /nowhere/x cannot be written"),
    ],
)
def test_bad_options_are_refused(options, code, message):
    run = ONE_HART.run(*options)
    assert (run.code, run.console) == (code, "")
    assert message in run.messages
