# SPDX-License-Identifier: Apache-2.0
"""From small traces to figures: four cores, two programs, as `make figures` does it."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
import workflow

FIGURES = ("rank-assignment-2", "rank-assignment-7")
PROGRAMS = ("gups", "set_cover")
STARTS = 2
SETTINGS = 5
"""Of both figures together."""


CONFIG = {
    "figure": ",".join(FIGURES),
    "programs": ",".join(PROGRAMS),
    "starts": STARTS,
    "accesses": 10_000,
    "warm_up": 2_000,
    "fill": 100_000,
    "start_within": 100_000,
}


def figures(folder: Path, **config) -> subprocess.CompletedProcess:
    """Both of them, and what is made on the way, in a folder."""
    return workflow.start(folder, ["--cores", 1], {**CONFIG, **config})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Folder of the runs and of the results."""
    folder = tmp_path_factory.mktemp("figures")
    done = figures(folder)
    assert done.returncode == 0, done.stderr
    return folder


def read(made, name):
    return json.loads((made / "results" / f"{name}.json").read_text())


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_all_programs_and_starts(made, name):
    figure = read(made, name)
    assert {row["program"] for row in figure["rows"]} == {*PROGRAMS, "average"}
    assert {row["starts"] for row in figure["rows"]} == {STARTS}
    assert all(row["low"] <= row["mean"] <= row["high"] for row in figure["rows"])
    assert figure["compared"]


def test_refreshes_cost_time_and_ranks_of_their_own_save_some(made):
    rows = {(row["program"], row["setting"]): row["mean"] for row in read(made, "rank-assignment-7")["rows"]}
    for program in PROGRAMS:
        assert rows[program, "no refresh"] < 0.95
        assert rows[program, "rank assignment"] < 1
    assert rows["gups", "no refresh, rank assignment"] < rows["gups", "rank assignment"]


def test_a_core_runs_each_copy(made):
    records = [json.loads(path.read_text()) for path in (made / "runs").rglob("*.json")]
    assert len(records) == SETTINGS * len(PROGRAMS) * STARTS
    for record in records:
        assert [core["instructions"] > 0 for core in record["result"]["cores"]] == [True] * 4
        assert record["region"] == {
            "accesses": 10_000,
            "instructions": 40_000_000,
            "warm_up": 2_000,
            "warm_up_instructions": 8_000_000,
            "fill": 100_000,
            "start_within": 100_000,
        }


def columns(counters, source, rank, kind):
    """Column commands of a source at a rank, kind `read` or `write`."""
    at = f"source_rank[{source}][{rank}].{kind}"
    return sum(counters.get(f"{at}_{how}", 0) for how in ("hits", "misses", "conflicts"))


def test_copies_keep_to_their_ranks(made):
    """Weir's counters say where the copies' accesses lie: under Rank Assignment most of a hart's are in one rank."""

    def largest_share(placement):
        path = made / "runs" / "paper" / "staggered" / placement / "gups" / "1.json"
        counters = json.loads(path.read_text())["result"]["counters"]
        reads = [[columns(counters, source, rank, "read") for rank in range(4)] for source in range(4)]
        return min(max(of_source) / sum(of_source) for of_source in reads)

    assert largest_share("rank_assignment") > 0.6
    assert largest_share("default") < 0.4


def disagreements(result):
    """What the lab, Weir and the DRAM model count otherwise of the same region. Weir counts a command some cycles
    before the model sees it; between the lab and the channels lie Weir's queues, and reads that a queued write answers.
    """
    counters, found = result["counters"], []
    seen = [rank for channel in result["dram"] for rank in channel["ranks"]]

    def compare(what, one, other, most):
        if abs(one - other) > most:
            found.append(f"{what}: {one} and {other}")

    for rank, model in enumerate(seen):
        for name, theirs in (("reads", "reads"), ("writes", "writes"), ("activates", "activates")):
            compare(f"rank {rank} {name}", counters.get(f"rank[{rank}].{name}", 0), model[theirs], 8)
        compare(f"rank {rank} refreshes", counters.get(f"rank[{rank}].refreshes", 0), model["whole_refreshes"], 1)
        for kind in ("read", "write"):
            sources = sum(columns(counters, source, rank, kind) for source in range(8))
            compare(f"rank {rank} {kind}s of sources", counters.get(f"rank[{rank}].{kind}s", 0), sources, 0)
    forwarded, merged = (
        sum(count for name, count in counters.items() if name.endswith(f"].{what}")) for what in ("forwarded", "merged")
    )
    held = 2 * (64 + 32)
    compare("reads", result["reads"] - forwarded, sum(rank["reads"] for rank in seen), held)
    compare("writes", result["writes"] - merged, sum(rank["writes"] for rank in seen), held)
    misses = sum(core["llc_misses"] for core in result["cores"])
    compare("misses", misses, result["reads"], 4 * 128)
    return found


def test_the_lab_weir_and_the_dram_model_count_the_same(made):
    for path in (made / "runs").rglob("*.json"):
        assert disagreements(json.loads(path.read_text())["result"]) == [], path


@pytest.mark.parametrize("name", ["rank[1].reads", "rank[2].activates", "source_rank[3][0].read_conflicts"])
def test_a_count_that_is_wrong_is_told(made, name):
    result = json.loads((made / "runs/paper/staggered/default/gups/1.json").read_text())["result"]
    result["counters"][name] += 20
    assert disagreements(result) != []


def test_what_was_killed_goes_on(tmp_path):
    config = {**CONFIG, "figure": "rank-assignment-2", "programs": "gups"}
    process = workflow.begin(tmp_path, ["--cores", 1], config)
    while process.poll() is None and not list((tmp_path / "runs").rglob("1.json")):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    done = workflow.start(tmp_path, ["--cores", 1], config)
    assert done.returncode == 0, done.stderr
    assert {row["starts"] for row in read(tmp_path, "rank-assignment-2")["rows"]} == {STARTS}


def planned(folder: Path, *words: str) -> set[str]:
    """The rules that a dry run in a folder would follow."""
    command = [
        "snakemake",
        "--directory",
        folder,
        "--snakefile",
        "sim/lab/Snakefile",
        "--cores",
        "1",
        "--dry-run",
        *words,
    ]
    done = subprocess.run(command, cwd=workflow.ROOT, capture_output=True, text=True, check=True)
    return set(re.findall(r"^(?:local)?rule (\w+):$", done.stdout + done.stderr, re.MULTILINE))


@pytest.mark.parametrize("changed", ["stamps/lab-capture", "lab/kernels/gups", "lab/entries/workloads/gups.json", None])
def test_a_capture_is_old_when_what_it_was_made_with_has_changed(tmp_path, changed):
    record = "lab/traces/default/gups/record.json"
    assert planned(tmp_path, record) == {"capture", "kernel", "trace"}  # which writes the entries
    begin = int(time.time())
    entries = ["lab/entries/workloads/gups.json", "lab/entries/placements/default.json"]
    for at, name in enumerate(["stamps/lab-capture", "lab/kernels/gups", *entries, record]):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (begin + at, begin + at))
    if changed is not None:
        os.utime(tmp_path / changed, (begin + 1000, begin + 1000))
    assert planned(tmp_path, record) == ({"trace"} if changed is not None else set())


def test_a_figure_alone_makes_all_that_it_needs(tmp_path):
    found = planned(tmp_path, "--config", "figure=rank-assignment-2", "programs=gups,xz")
    assert found == {"capture", "kernel", "package", "lab", "trace", "runs", "figure", "site"}


def test_traces_of_others_are_left_alone(tmp_path):
    record = tmp_path / "traces/default/gups/record.json"
    record.parent.mkdir(parents=True)
    record.write_text("theirs")
    os.utime(record, (1000, 1000))
    config = ["--config", "figure=rank-assignment-2", "programs=gups", f"traces={tmp_path / 'traces'}"]
    assert planned(tmp_path, *config) == {"lab", "runs", "figure", "site"}


def test_fewer_starts_make_no_run_again(made):
    runs = sorted((made / "runs").rglob("*.json"))
    before = [path.stat().st_mtime_ns for path in runs]
    done = figures(made, starts=1, results=made / "fewer")
    assert done.returncode == 0, done.stderr
    assert [path.stat().st_mtime_ns for path in runs] == before


def test_only_what_is_missing_is_made_again(made):
    lost, kept = (made / "runs/paper/staggered/default" / program / "1.json" for program in PROGRAMS)
    before = json.loads(lost.read_text())
    written, page = kept.stat().st_mtime_ns, made / "results" / "index.html"
    text = page.read_text()
    for path in (lost, made / "results" / "rank-assignment-2.json", page):
        path.unlink()
    done = figures(made)
    assert done.returncode == 0, done.stderr
    assert kept.stat().st_mtime_ns == written
    again = json.loads(lost.read_text())
    for record in (before, again):  # what differs from run to run
        record["result"]["cpu_seconds"] = None
    assert again == before
    assert page.read_text() == text


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"figure": "rank-assignment-99"}, "figure=rank-assignment-99: there is none; there are"),
        ({"programs": "doom"}, "programs=doom: there is none; there are bzip2"),
        ({"programs": ""}, "programs=: there is none; there are bzip2"),
        ({"programs": "gups,gups"}, "programs=gups,gups: gups is there twice"),
        ({"figure": 0}, "figure=0: there is none; there are"),
        ({"runs": ""}, "runs: must be a folder"),
        ({"traces": "lab/nowhere"}, "lab/nowhere/default/gups/record.json: there is none"),
        ({"starts": 0}, "starts=0: must be a whole number from 1 to 1000"),
        ({"starts": 1 << 48}, f"starts={1 << 48}: must be a whole number from 1 to 1000"),
        ({"accesses": "many"}, f"accesses=many: must be a whole number from 1 to {1 << 48}"),
        ({"fill": 1 << 49}, f"fill={1 << 49}: must be a whole number from 0 to {1 << 48}"),
        ({"acesses": 5}, "config acesses: unknown"),
    ],
)
def test_a_wrong_config_is_told(tmp_path, config, complaint):
    done = figures(tmp_path, **config)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert list(tmp_path.iterdir()) == []
