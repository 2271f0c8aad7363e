# SPDX-License-Identifier: Apache-2.0
"""Runs of the lab on the small traces: their records, and what is refused before them."""

import json
import subprocess
import sys
from pathlib import Path

import choices
import experiment
import pytest
import records

SMALL = experiment.BUILD / "lab" / "small" / "traces"
SHORT = ["--accesses", 5000, "--warm-up", 0, "--warm-up-instructions", 0, "--fill", 1000, "--start-within", 1000]


def run(folder, *words, seeds="1", traces=SMALL):
    command = [sys.executable, experiment.__file__, "paper", "staggered", "default", "gups", seeds, folder]
    command += ["--traces", traces, *SHORT, *words]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)


def told(done):
    """The one line of a program that failed."""
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    return line


def of(machine=None, policy=None, traces=SMALL):
    """A run of gups; `machine` and `policy` in place of those of the paper."""
    machine, policy = machine or choices.machines()["paper"], policy or choices.policies()["staggered"]
    placement = experiment.placements.load()["default"]
    return experiment.Run(machine, policy, placement, "gups", 1, traces)


def changed(**fields):
    """The paper's machine with other fields."""
    paper = choices.machines()["paper"]
    return choices.Machine(**{**vars(paper), **fields})


def test_a_config_that_is_not_made_is_told():
    rdl = experiment.BUILD / "hw" / "lab-none" / "Weir.rdl"
    with pytest.raises(experiment.RunError, match=f"^{rdl}: there is none; make build/lab/lab-none/lab makes it$"):
        experiment.plan(of(machine=changed(config="lab-none")), experiment.Region())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The records of one run, made twice."""
    found = []
    for name in ("first", "second"):
        folder = tmp_path_factory.mktemp(name)
        done = run(folder)
        assert done.returncode == 0, done.stderr
        found.append(json.loads((folder / "1.json").read_text()))
    return found


def test_a_record_is_the_same_on_each_run(made):
    first, second = ({**record, "result": {**record["result"], "cpu_seconds": 0}} for record in made)
    assert first == second


def test_a_record_repeats_its_run(made, tmp_path):
    record = made[0]
    assert record["system"]["cores"]["count"] == 4
    assert record["system"]["memory"]["base"] == 0x8000_0000
    # JSON is YAML
    (tmp_path / "system.yaml").write_text(json.dumps(record["system"]))
    done = subprocess.run(record["command"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    for measured in ("cycles", "core_cycles", "reads", "writes", "dram"):
        assert again[measured] == record["result"][measured]


def test_a_wrong_field_is_the_machines():
    machine = changed(name="odd", fields={"caches.llc.kibibytes": 3})
    planned = experiment.plan(of(machine), experiment.Region())
    complaint = f"^machine odd: {machine.system}: caches.llc.kibibytes = 3: must be [^\n]*$"
    with pytest.raises(experiment.RunError, match=complaint):
        experiment.measure(of(machine), planned)


def test_a_failed_run_is_told_with_its_command():
    planned = experiment.plan(of(), experiment.Region())
    at = planned["command"].index("--seed") + 1
    planned["command"][at] = "none"
    with pytest.raises(
        experiment.RunError, match=r"/lab --system system.yaml .*\nended with exit code 2:\nlab: option"
    ):
        experiment.measure(of(), planned)


@pytest.mark.parametrize("field", ["refresh_policy", "refresh_policy.value"])
def test_a_field_that_machine_and_policy_set_is_refused(field):
    machine = changed(registers={field: 2})
    complaint = (
        f"machines.yaml: paper.registers.{field} and policies.yaml: staggered.registers.refresh_policy set the same"
    )
    with pytest.raises(experiment.RunError, match=f"^{complaint} field"):
        experiment.plan(of(machine), experiment.Region())


def test_fields_of_one_register_may_be_of_both():
    machine = changed(registers={"drain_policy.start": 1})
    policy = choices.Policy("both", {"drain_policy.priority": 1}, "")
    rdl = experiment.rdl(of())
    ((address, word),) = experiment.register_words(rdl, machine, policy)
    both = {"drain_policy.start": 1, "drain_policy.priority": 1}
    assert [(address, word)] == experiment.registers.words(rdl, both)


GOOD = {
    "traces": ["hart-0.trace.zst", "hart-1.trace.zst"],
    "contents": [{"pages": 5, "kernel": 0, "accesses": 9}, {"pages": 5, "kernel": 1, "accesses": 9}],
    "preferred_ranks": [None, 1],
}


def captured(folder, text):
    path = folder / "default" / "gups" / "record.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_a_good_capture_is_read(tmp_path):
    path = captured(tmp_path, json.dumps(GOOD))
    assert of(traces=tmp_path).traces() == [path.parent / name for name in GOOD["traces"]]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"traces": []}, "traces must be names of files, at least one"),
        ({"traces": [1, 2]}, "traces must be names of files, at least one"),
        ({"contents": GOOD["contents"][:1]}, "contents is of 1 harts: must be of 2, as traces"),
        ({"preferred_ranks": []}, "preferred_ranks is of 0 harts: must be of 2, as traces"),
        ({"preferred_ranks": [0, "1"]}, "preferred_ranks must be numbers or null"),
        ({"contents": [GOOD["contents"][0], {}]}, "contents of hart 1: pages is missing"),
        ({"contents": [GOOD["contents"][0], 5]}, "contents of hart 1: must have the fields pages, kernel, accesses"),
        (
            {"contents": [{"pages": 5, "kernel": 0, "accesses": 0}, GOOD["contents"][0]]},
            "contents of hart 0: accesses 0: must be at least 1",
        ),
    ],
)
def test_a_damaged_capture_is_told(tmp_path, changes, complaint):
    path = captured(tmp_path, json.dumps({**GOOD, **changes}))
    with pytest.raises(records.RecordError, match=f"^{path}: {complaint}$"):
        of(traces=tmp_path).traces()


def test_a_capture_that_is_not_made_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "TRACES", tmp_path)
    complaint = "there is none; make build/lab/traces/default/gups/record.json makes it"
    with pytest.raises(records.RecordError, match=f"^{tmp_path}/default/gups/record.json: {complaint}$"):
        of(traces=tmp_path).traces()


def test_a_damaged_capture_is_told_in_a_line_before_the_run(tmp_path):
    path, results = captured(tmp_path, ""), tmp_path / "results"
    assert told(run(results, traces=tmp_path)).startswith(f"experiment.py: {path}: is no JSON: ")
    path.unlink()
    assert told(run(results, traces=tmp_path)) == f"experiment.py: {path}: there is none: make it first"
    assert not results.exists()


def test_results_that_cannot_be_written_are_told_before_the_run(tmp_path):
    (tmp_path / "file").touch()
    # a run of this length would not end
    line = told(run(tmp_path / "file", "--accesses", experiment.MOST))
    assert line == f"experiment.py: {tmp_path}/file/1.json: cannot be written: File exists"
    (tmp_path / "2.json").mkdir()
    line = told(run(tmp_path, "--accesses", experiment.MOST, seeds="1,2"))
    assert line == f"experiment.py: {tmp_path}/2.json: cannot be written: it is a folder"


@pytest.mark.parametrize(
    ("words", "seeds", "complaint"),
    [
        ([], str(2**64), "18446744073709551616: must be at most 18446744073709551615"),
        ([], f"1,{2**70}", f"{2**70}: must be at most 18446744073709551615"),
        ([], "1,2,1", "1,2,1: each must be there once"),
        ([], "1,x", "1,x: must be whole numbers of at least 0"),
        (["--accesses", 0], "1", "--accesses 0: must be from 1 to 281474976710656"),
        (["--accesses", 2**64], "1", f"--accesses {2**64}: must be from 1 to 281474976710656"),
        (["--warm-up-instructions", 2**48 + 1], "1", "--warm-up-instructions 281474976710657: must be from 0 to 2814"),
    ],
)
def test_a_number_beyond_its_limit_is_refused(tmp_path, words, seeds, complaint):
    done = run(tmp_path / "results", *words, seeds=seeds)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_the_limit_of_a_region_is_the_labs():
    lab = (Path(experiment.__file__).parents[1] / "machine" / "lab.cpp").read_text()
    assert f"kLongest = uint64_t{{1}} << {experiment.MOST.bit_length() - 1};" in lab
