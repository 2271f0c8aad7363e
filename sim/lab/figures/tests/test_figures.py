# SPDX-License-Identifier: Apache-2.0
"""Figures of results that are made up, so that what comes of them is known."""

import json
from dataclasses import replace

import estimate
import figure
import known
import labs
import make_figure
import make_site
import palloc_isolation
import programs_measured
import pytest
import rank_assignment_3
import rank_assignment_peak_power
import rank_assignment_table_3
from captured import programs as table
from execution_time import ExecutionTime, Saying
from figure import AVERAGE, Setting, Wanted
from slowdown import Slowdown

SLOW, FAST = Setting("paper", "staggered"), Setting("paper", "no_refresh")
TIME = ExecutionTime(
    title="",
    source="",
    bars={"slow": SLOW, "fast": FAST},
    reference="slow",
    sayings=(Saying("fast", "slow", -20),),
)


def result(core_cycles, accesses=800):
    cores = [
        {
            "llc_misses": 10,
            "instructions": 4000,
            "pages": 512,
            "kernel_share": 0.25,
            "ipc": 4000 / core_cycles,
            "preferred_rank": 1,
            "read_latency": {"p99": 90, "count": 2000},
        }
    ] * 8
    clocks = {"activates": 40, "clocks_active_standby": 900, "clocks_precharged_standby": 100, "clocks_refreshing": 600}
    ranks = [{"reads": 60, "writes": 20, "hit_reads": 30, "hit_writes": 10, **clocks}] * 2
    return {
        "cycles": core_cycles // 4,
        "core_cycles": core_cycles,
        "reads": accesses - 100,
        "writes": 100,
        "cores": cores,
        "dram": [{"ranks": ranks}] * 2,
    }


def timed(core_cycles, accesses):
    return {"core_cycles": core_cycles, "reads": accesses - 100, "writes": 100}


def threaded(preferred, counters):
    return {"cores": [{"preferred_rank": rank} for rank in preferred], "counters": counters}


def counted(**counters):
    return {**result(1000), "counters": counters}


def test_an_interval_is_students():
    found = estimate.of([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.mean == 3
    assert found.high - found.mean == pytest.approx(2.7764 * (2.5 / 5) ** 0.5, rel=1e-4)
    assert found.mean - found.low == pytest.approx(found.high - found.mean)
    assert estimate.of([2.0]) == estimate.Estimate(2.0, None, None, 1)


def test_time_is_of_each_access_and_of_each_start():
    """In each start the fast setting takes as much less; that starts differ makes no spread."""
    results = {}
    for seed in range(1, 6):
        results[Wanted(SLOW, "a", seed)] = result(1000 * seed)
        results[Wanted(FAST, "a", seed)] = result(1500 * seed, accesses=1600)
        results[Wanted(SLOW, "b", seed)] = result(100)
        results[Wanted(FAST, "b", seed)] = result(95)
    rows = {(row["program"], row["setting"]): row for row in TIME.rows(results, ["a", "b"])}
    assert rows["a", "fast"]["mean"] == rows["a", "fast"]["low"] == 0.75
    assert rows["b", "fast"]["mean"] == 0.95
    assert rows[AVERAGE, "fast"]["mean"] == pytest.approx(0.85)
    assert {rows[program, "slow"]["mean"] for program in ("a", "b", AVERAGE)} == {1}
    (compared,) = TIME.compared(results, ["a", "b"])
    assert compared.row()["mean"] == pytest.approx(-15)
    assert compared.row()["deviation"] == pytest.approx(5)


def test_where_pages_lie_elsewhere_the_time_of_the_same_instructions_is_told_too():
    """Half as many accesses in the same instructions and cycles: twice the time for an access."""
    moved = Setting("paper", "staggered", "rank_assignment")
    figure = replace(TIME, bars={"slow": SLOW, "fast": moved})
    results = {}
    for seed in range(1, 6):
        results[Wanted(SLOW, "a", seed)] = result(1000, accesses=1600)
        results[Wanted(moved, "a", seed)] = result(1000, accesses=800)
    of_accesses, of_instructions = figure.compared(results, ["a"])
    assert of_accesses.row()["mean"] == pytest.approx(100)
    assert of_instructions.row()["mean"] == pytest.approx(0)
    assert of_instructions.what == f"{of_accesses.what}, for the same instructions"


def test_a_program_is_memory_bound_as_its_runs_say():
    """Of 32 000 instructions the paper's quietest program has 42.7 accesses."""
    of_table = table.load()
    busy, quiet = of_table["gups"], of_table["gnugo"]
    above, below = ([{**result(1000), "reads": reads, "writes": 0} for reads in (10, last)] for last in (76, 74))
    programs_measured.check_memory_bound(busy, above)
    programs_measured.check_memory_bound(quiet, below)
    with pytest.raises(ValueError, match=r"gups.memory_bound is true, but it has 1.312 DRAM accesses in 1000 instr"):
        programs_measured.check_memory_bound(busy, below)
    with pytest.raises(
        ValueError, match=r"gnugo.memory_bound is false, but it has 1.344 .* is memory bound from 1.333"
    ):
        programs_measured.check_memory_bound(quiet, above)
    assert "gnugo" not in known.figures()["rank-assignment-7"].programs(of_table)
    assert "gnugo" in known.figures()["programs-measured"].programs(of_table)


def test_stalls_are_what_the_counters_say():
    """Two ranks with ten refreshes each; of eight cores one is stalled by 10 of 20, another by 20."""
    counters = {"rank[0].refreshes": 10, "rank[1].refreshes": 10, "rank[0].cycles_blocked": 100}
    counters |= {"source_rank[0][0].stalled_by_refreshes": 10, "source_rank[1][0].stalled_by_refreshes": 10}
    counters |= {"source_rank[1][1].stalled_by_refreshes": 10, "rank[1].cycles_blocked": 100}
    counters |= {"source_rank[0][0].stalls_refresh": 100, "source_rank[1][0].stalls_refresh": 100}
    run = counted(**counters)
    assert rank_assignment_3.stalling_share(run, run) == pytest.approx((0.5 + 1) / 8)
    assert rank_assignment_3.weighted_stall(run, run) == 1


def test_cores_are_lost_by_the_time_that_refresh_takes():
    """Refreshes are half of the time; without them it is three quarters: eight cores lose two all the time."""
    run = counted(**{"rank[0].cycles_blocked": 20, "rank[1].cycles_blocked": 30})
    without = counted()
    run |= {"cycles": 100, "core_cycles": 400, "reads": 60, "writes": 40}
    without |= {"cycles": 75, "core_cycles": 300, "reads": 60, "writes": 40}
    assert rank_assignment_3.cores_lost(run, without) == pytest.approx(4)


def test_the_time_of_threads_is_of_each_access():
    threads = rank_assignment_table_3
    wanted = list(threads.FIGURE.wanted(["gups", "mg"], 1))
    assert wanted == [Wanted(setting, "mg_threads", 1) for setting in (threads.STAGGERED, threads.ASSIGNED)]
    assigned = threaded([0, 0], {"source_rank[0][0].read_hits": 1, "source_rank[1][0].write_misses": 1})
    results = dict(zip(wanted, (result(1000), {**assigned, **timed(1500, 1600)}), strict=True))
    rows = threads.FIGURE.rows(results, ["gups", "mg"])
    assert [(row["program"], row["setting"], row["mean"]) for row in rows] == [
        ("mg", threads.ELSEWHERE, 0),
        ("mg", threads.LESS_TIME, 25),
    ]
    moved, less = threads.FIGURE.compared(results, ["gups", "mg"])
    assert moved.deviation == pytest.approx(0 - 15.86)
    assert less.deviation == pytest.approx(25 - 9)


def test_accesses_elsewhere_are_of_the_thread_with_most():
    """Thread 0 prefers rank 1 and has 6 of 8 accesses there, thread 1 prefers rank 3 and has 3 of 10 there; a delay is
    no access."""
    counters = {
        "source_rank[0][1].read_hits": 4,
        "source_rank[0][1].write_conflicts": 2,
        "source_rank[0][3].read_misses": 2,
        "source_rank[1][3].write_hits": 3,
        "source_rank[1][0].read_conflicts": 3,
        "source_rank[1][2].write_misses": 4,
        "source_rank[1][3].read_delay": 900,
        "rank[3].reads": 5,
    }
    assert rank_assignment_table_3.elsewhere(threaded([1, 3], counters)) == pytest.approx(70)
    with pytest.raises(ValueError, match="the thread on hart 1 did not tell"):
        rank_assignment_table_3.elsewhere(threaded([1, None], counters))


def test_the_power_of_a_rank_is_that_of_its_commands():
    """Of 1000 clocks, 900 with an open row: 40 activates, 60 reads and 20 writes, of 18 chips at 1.5 V."""
    peak = rank_assignment_peak_power
    standby = 900 * 38 + 100 * 32
    activates = 40 * (55 * 39 - 38 * 28 - 32 * 11)
    columns = 60 * 4 * (147 - 38) + 20 * 4 * (118 - 38)
    milliamperes = (standby + activates + columns) / 1000
    assert peak.busy(result(1000)) == pytest.approx(18 * 1.5 * milliamperes / 1000)
    assert peak.bandwidth(result(1000)) == pytest.approx(100 * 4 * 80 / 1600)
    # the paper's rank, and its eight
    assert pytest.approx(6.34, abs=0.01) == peak.REFRESHING
    assert pytest.approx(17.6, abs=0.05) == (peak.RANKS - 1) * (peak.REFRESHING - 3.83)


def test_slowdowns_are_of_the_first_core():
    setting = Setting("palloc", "defer_until_empty")
    figure = Slowdown(title="", source="", bars={"all": setting}, alone=None, sayings={"all": 1.5})
    results = {
        Wanted(setting, "a_alone", 1): {"cores": [{"ipc": 2.0}]},
        Wanted(setting, "a_beside_stream", 1): {"cores": [{"ipc": 0.5}, {"ipc": 3.0}]},
    }
    assert set(figure.wanted(["a"], 1)) == set(results)
    assert [row["mean"] for row in figure.rows(results, ["a"])] == [4, 4]
    (compared,) = figure.compared(results, ["a"])
    assert compared.deviation == 2.5


def test_what_fewer_banks_cost_is_told_by_instructions():
    banks = known.figures()["palloc-banks"]
    of = {"16 banks": 1000, "8 banks": 1500, "4 banks": 2000}
    results = {
        Wanted(setting, "a_alone", 1): {
            "core_cycles": of[label],
            "reads": 0,
            "writes": 0,
            "cores": [{"instructions": 1000}],
        }
        for label, setting in banks.bars.items()
    }
    rows = {(row["program"], row["setting"]): row["mean"] for row in banks.rows(results, ["a"])}
    assert (rows["a", "8 banks"], rows["a", "4 banks"]) == (1.5, 2.0)


def test_the_tail_is_that_of_the_slowest_reads():
    tail = known.figures()["palloc-tail"]
    alone, private = palloc_isolation.ALONE, palloc_isolation.BARS["private banks"]
    results = {
        Wanted(alone, "a_alone", 1): {"cores": [{"read_latency": {"p99": 40, "count": 1000}}]},
        Wanted(alone, "a_beside_stream", 1): {"cores": [{"read_latency": {"p99": 160, "count": 1000}}]},
        Wanted(private, "a_beside_stream", 1): {"cores": [{"read_latency": {"p99": 60, "count": 1000}}]},
    }
    assert set(tail.wanted(["a"], 1)) == set(results)
    rows = {(row["program"], row["setting"]): row["mean"] for row in tail.rows(results, ["a"])}
    assert rows["a", "all banks"] == pytest.approx(4)
    assert rows["a", "private banks"] == pytest.approx(1.5)


def test_a_program_that_hardly_reads_has_no_tail():
    tail = known.figures()["palloc-tail"]

    def measured(p99, count):
        return {"cores": [{"read_latency": {"p99": p99, "count": count}}]}

    results = {
        wanted: measured(0, 0) if wanted.program == "b_alone" else measured(40, 1000)
        for wanted in tail.wanted(["a", "b"], 1)
    }
    assert {row["program"] for row in tail.rows(results, ["a", "b"])} == {"a", "average"}
    assert tail.rows(results, ["b"]) == []


def test_programs_are_measured_as_the_counts_say():
    rows = programs_measured.FIGURE.rows({Wanted(programs_measured.SETTING, "gups", 1): result(1000)}, ["gups"])
    assert {row["quantity"]: row["mean"] for row in rows} == {
        "misses in 1000 instructions": 2.5,
        "row hits": 0.5,
        "writes": 0.125,
        "footprint of a copy, MiB": 2,
        "accesses of the kernel": 0.25,
    }


@pytest.mark.parametrize("name", known.figures())
def test_each_figure_is_made_and_put_on_the_page(tmp_path, name):
    runs, output, drawn = tmp_path / "runs", tmp_path / "figures", known.figures()[name]
    programs = ["gups", "mg"]
    for number, wanted in enumerate(drawn.wanted(programs, figure.STARTS)):
        path = runs / wanted.path
        path.parent.mkdir(parents=True, exist_ok=True)
        counters = {"rank[0].refreshes": 9, "rank[0].cycles_blocked": 1000, "source_rank[0][0].stalls_refresh": number}
        counters["source_rank[0][0].stalled_by_refreshes"] = number % 10
        counters |= {f"source_rank[{source}][0].read_hits": 10 for source in range(8)}
        record = {"commit": "abc", "result": {**counted(**counters), "core_cycles": 1000 + number}}
        path.write_text(json.dumps(record))
    words = [name, str(runs), str(output), "--programs", ",".join(programs)]
    assert make_figure.main(words) == 0
    made = json.loads((output / f"{name}.json").read_text())
    assert made["commits"] == ["abc"]
    assert {row["starts"] for row in made["rows"]} == {figure.STARTS}
    assert made["rows"]
    again = (output / f"{name}.svg").read_bytes()
    assert make_figure.main(words) == 0
    assert again == (output / f"{name}.svg").read_bytes()
    assert make_site.main([str(output)]) == 0
    page = (output / "index.html").read_text()
    assert "<svg" in page
    assert all(row["what"] in page for row in made["compared"])
    assert ", ".join(made["programs"]) in page
    # an explanation is of the figure's own programs
    of_them = drawn.programs(table.load()) == programs
    assert made["explanation"] == (drawn.explanation if of_them else "")
    assert "http://" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )


def test_a_figure_needs_the_labs_of_its_machines(capsys):
    assert labs.main(["rank-assignment-2,rank-assignment-4"]) == 0
    assert capsys.readouterr().out.split() == [
        "build/lab/lab-rank-assignment-32gb/lab",
        "build/lab/lab-rank-assignment-pcm/lab",
    ]
    assert labs.main([]) == 0
    assert "build/lab/lab-palloc/lab" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        labs.main(["rank-assignment-99"])
    assert "rank-assignment-99: no such figure; there are" in capsys.readouterr().err


def test_a_run_that_is_missing_is_named(tmp_path, capsys):
    assert make_figure.main(["rank-assignment-2", str(tmp_path), str(tmp_path / "figures")]) == 1
    assert "staggered/default/bzip2/1.json" in capsys.readouterr().err
    assert not (tmp_path / "figures").exists()


def recorded(folder, name, programs, record):
    """Writes a record of each run that a figure needs, and gives the first one's path."""
    paths = [folder / wanted.path for wanted in known.figures()[name].wanted(programs, 1)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record)
    return paths[0]


def test_a_figure_of_no_such_programs_is_refused(tmp_path, capsys):
    words = ["rank-assignment-table-3", str(tmp_path), str(tmp_path / "figures"), "--programs", "gups,stream"]
    assert make_figure.main(words) == 1
    complaint = "make_figure.py: rank-assignment-table-3 has nothing of gups, stream: it is of other programs\n"
    assert capsys.readouterr().err == complaint
    assert not (tmp_path / "figures").exists()


def test_a_program_that_is_asked_for_twice_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        make_figure.main(["rank-assignment-2", str(tmp_path), str(tmp_path / "figures"), "--programs", "gups,mg,gups"])
    assert ended.value.code == 2
    assert "--programs gups,mg,gups: gups is there twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no JSON: Expecting value"),
        ("[]", "must have the fields commit, result\n"),
        ("{}", "commit is missing\n"),
        ('{"commit": "abc", "result": []}', "result must be a dict, not a list\n"),
        ('{"commit": "abc", "result": {}}', "result: cycles is missing\n"),
    ],
)
def test_a_damaged_run_is_told(tmp_path, capsys, text, complaint):
    path = recorded(tmp_path, "rank-assignment-2", ["gups"], text)
    words = ["rank-assignment-2", str(tmp_path), str(tmp_path / "figures"), "--programs", "gups", "--starts", "1"]
    assert make_figure.main(words) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"make_figure.py: {path}: {complaint}")
    assert error.count("\n") == 1
    assert not (tmp_path / "figures").exists()


def test_a_figure_that_cannot_be_written_is_told(tmp_path, capsys):
    record = json.dumps({"commit": "abc", "result": counted()})
    recorded(tmp_path, "rank-assignment-2", ["gups"], record)
    (tmp_path / "file").touch()
    words = ["rank-assignment-2", str(tmp_path), str(tmp_path / "file"), "--programs", "gups", "--starts", "1"]
    assert make_figure.main(words) == 1
    path = tmp_path / "file" / "rank-assignment-2.svg"
    assert capsys.readouterr().err == f"make_figure.py: {path}: cannot be written: File exists\n"


FIGURE_ON_PAGE = {
    "figure": "a",
    "title": "",
    "source": "",
    "explanation": "",
    "commits": [],
    "programs": [],
    "compared": [],
}


@pytest.mark.parametrize(
    ("record", "picture", "complaint"),
    [
        ("{}", "<svg/>", "a.json: figure is missing"),
        (json.dumps(FIGURE_ON_PAGE), None, "a.svg: there is none: make it first"),
        (json.dumps(FIGURE_ON_PAGE), "", "a.svg: has no picture"),
    ],
)
def test_a_damaged_figure_is_told(tmp_path, capsys, record, picture, complaint):
    (tmp_path / "a.json").write_text(record)
    if picture is not None:
        (tmp_path / "a.svg").write_text(picture)
    assert make_site.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"make_site.py: {tmp_path}/{complaint}\n"
    assert not (tmp_path / "index.html").exists()


def test_a_page_that_cannot_be_written_is_told(tmp_path, capsys):
    (tmp_path / "a.json").write_text(json.dumps(FIGURE_ON_PAGE))
    (tmp_path / "a.svg").write_text("<svg/>")
    (tmp_path / "index.html").mkdir()
    assert make_site.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"make_site.py: {tmp_path}/index.html: cannot be written: Is a directory\n"


def test_a_wrong_table_of_programs_is_told(tmp_path, capsys, monkeypatch):
    (tmp_path / "programs.yaml").write_text("gups: 5\n")
    load = table.load
    monkeypatch.setattr(table, "load", lambda: load(tmp_path / "programs.yaml"))
    assert make_figure.main(["rank-assignment-2", str(tmp_path), str(tmp_path / "figures")]) == 1
    assert capsys.readouterr().err.startswith(f"make_figure.py: {tmp_path}/programs.yaml: gups: 5 must have the fields")
