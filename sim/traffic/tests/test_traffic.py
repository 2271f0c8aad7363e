# SPDX-License-Identifier: Apache-2.0
"""The head to head itself: its results, what the controllers are held to, and that broken designs are found."""

import dataclasses
import json
import re
import subprocess

import matrix
import plot
import pytest
import registers
import run
from bound import IDLE_CYCLES, PATTERNS
from head_to_head import of_system, require_same
from matrix import Point
from rich.console import Console
from starvation import bound_cycles
from systems import SYSTEMS
from table import pairs

SEED = 1


@pytest.fixture(scope="module")
def rows():
    """The quick matrix, as `make traffic` runs it."""
    found, failures = run.run(matrix.points("quick"), SEED, Console(quiet=True))
    assert failures == []
    return found


def test_the_results_hold_what_they_promise(rows, tmp_path):
    found = run.results(rows, "quick", SEED)
    assert json.loads(json.dumps(found)) == found
    assert found["config"].keys() >= {"part", "dq", "ranks", "clock"}
    assert (found["config"]["part"], found["config"]["dq"], found["config"]["ranks"]) == ("MT41J128M8JP-125", 64, 2)
    assert {row["pattern"] for row in rows} == set(PATTERNS)
    assert {row["controller"] for row in rows} == {"weir", "litedram"}
    assert {row["ports"] for row in rows} == {1, 2, 4}
    assert {row["ids"] for row in rows} >= {1, 2, 4, 8, 16}
    assert {row["burst_bytes"] for row in rows} >= {16, 64, 256}
    assert {row["config"] for row in rows} == set(found["configs"])
    for row in rows:
        assert 0 < row["efficiency"] <= 1
        assert row["checked_bytes"] > 0
        writes_only = PATTERNS[row["pattern"]][0] == 0
        assert (row["read_latency_mean"] is None) == writes_only
        if not writes_only:
            assert 0 < row["read_latency_least"] <= row["read_latency_mean"] <= row["read_latency_most"]
            assert row["read_latency_least"] <= row["read_latency_p99"] <= row["read_latency_most"]
            assert row["read_latency_samples"] > 100
    plot.draw(found, tmp_path)
    assert (tmp_path / "traffic.svg").stat().st_size > 10_000
    assert (tmp_path / "traffic.png").stat().st_size > 10_000


def test_no_efficiency_exceeds_its_bound(rows):
    assert [row for row in rows if row["efficiency"] > row["bound"]] == []


def test_weir_breaks_no_rule_and_litedram_only_those_that_it_is_known_for(rows):
    assert [row for row in rows if row["controller"] == "weir" and row["violations"]] == []
    broken = {rule for row in rows for rule in row["violations"]}
    # No gap between ranks; precharge for refresh too early. A new one would point at the bench.
    assert broken == {"tRTRS", "tRAS"}


def test_weir_is_at_least_litedrams_equal_everywhere(rows):
    # How often a row is found closed is a matter of refreshes.
    compared = [(weir, litedram) for weir, litedram in pairs(rows) if weir["pattern"] != "idle_row_closed"]
    assert [weir for weir, litedram in compared if weir["efficiency"] < litedram["efficiency"]] == []


def test_weir_answers_an_idle_port_sooner(rows):
    idle = [(w["read_latency_mean"], d["read_latency_mean"]) for w, d in pairs(rows) if w["pattern"] in matrix.IDLE]
    assert len(idle) == 8
    assert all(weir <= litedram for weir, litedram in idle)


def test_weir_is_three_times_as_fast_on_random_addresses_with_eight_ids(rows):
    many = [(w, d) for w, d in pairs(rows) if w["pattern"].startswith("random") and w["ids"] >= 8 and w["ports"] == 1]
    assert len(many) == 21
    assert [weir for weir, litedram in many if weir["efficiency"] < 3 * litedram["efficiency"]] == []


def test_weir_comes_close_to_the_bound_of_sequential_streams(rows):
    streams = [row for row in rows if row["controller"] == "weir" and row["pattern"].startswith("sequential")]
    assert len(streams) == 16
    assert [row for row in streams if row["efficiency"] < 0.93 * row["bound"]] == []


def test_a_row_conflict_takes_longer_than_a_closed_row_and_that_longer_than_a_hit(rows):
    """The part's own times are in each: CL and data; tRCD too; tRP too."""
    latency = {(r["config"], r["controller"], r["pattern"]): r["read_latency_least"] for r in rows if r["ids"] == 1}
    for config in ("ddr3-2rank", "ddr3-x16"):
        part = SYSTEMS[config].part
        for controller in run.CONTROLLERS:
            hit, closed, conflict = (latency[config, controller, pattern] for pattern in matrix.IDLE[1:])
            assert hit >= part.cl + 4
            assert closed >= hit + part.clocks(part.trcd)
            # A precharge may start in the phase in which an activate would have.
            assert conflict > closed


def test_a_storm_of_row_hits_starves_no_read(rows):
    weir = [row for row in rows if row["controller"] == "weir" and row["pattern"] == "row_hit_storm"]
    assert [row["ports"] for row in weir] == [1, 4]
    for row in weir:
        config = json.loads((run.ROOT / f"build/hw/traffic-ddr3-2rank-p{row['ports']}/Weir.json").read_text())
        assert row["oldest_read_wait"] <= bound_cycles(config)


def test_the_pause_of_idle_latency_is_what_its_bound_assumes(rows):
    for row in rows:
        if row["pattern"] != "idle_latency":
            continue
        system = SYSTEMS[row["config"]]
        beats = max(1, row["burst_bytes"] * 8 // system.axi_data_bits)
        data = row["burst_bytes"] / system.line_bytes * system.phases
        period = data / row["efficiency"]
        pause = period - row["read_latency_mean"] - (beats - 1) * system.phases
        assert pause == pytest.approx(IDLE_CYCLES * system.phases, rel=0.05)


def test_both_controllers_get_the_same_matrix(rows):
    both = pairs(rows)
    assert 2 * len(both) == len(rows)
    assert len(both) == len(matrix.points("quick"))


def program(controller: str, *options: str) -> subprocess.CompletedProcess:
    path = run.program(controller, Point("ddr3-2rank", "random_read", 1, 1, 64))
    return subprocess.run([path, *options], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("controller", run.CONTROLLERS)
def test_one_seed_gives_one_run(controller):
    options = ("--pattern", "random_2to1", "--ids", "4", "--window", "5000", "--warmup", "100")
    first = program(controller, *options, "--seed", "3")
    assert first.returncode == 0
    assert program(controller, *options, "--seed", "3").stdout == first.stdout
    assert program(controller, *options, "--seed", "4").stdout != first.stdout


@pytest.mark.parametrize("controller", run.CONTROLLERS)
@pytest.mark.parametrize(("pattern", "fault"), [("random_read", "1"), ("random_write", "2"), ("sequential_write", "2")])
def test_a_broken_data_path_is_found(controller, pattern, fault):
    options = ("--pattern", pattern, "--ids", "8", "--window", "5000", "--fault", fault, "--fault-cycle", "1000")
    ended = program(controller, *options, "--warmup", "0")
    assert ended.returncode == 1
    assert "legal:" in ended.stderr


def test_a_protocol_violation_ends_weirs_run_and_tells_the_rule():
    options = ("--pattern", "random_read", "--ids", "8", "--window", "5000", "--fault", "4", "--fault-cycle", "1000")
    ended = program("weir", *options, "--warmup", "0")
    assert ended.returncode == 1
    assert "ended the simulation" in ended.stderr
    assert "ACT" in ended.stderr


@pytest.mark.parametrize(
    ("fault", "rule"),
    [(32, "ODT_READ"), (64, "ODT_WRITE|ODT_READ"), (128, "ODT_READ")],
    ids=["always high", "a clock late", "of the other rank"],
)
def test_odt_that_is_wrong_ends_weirs_run(fault, rule):
    options = ("--pattern", "random_2to1", "--ids", "8", "--window", "5000", "--fault-cycle", "1000")
    ended = program("weir", *options, "--fault", str(fault), "--warmup", "0")
    assert ended.returncode == 1
    assert re.search(f"breaks ({rule}) ", ended.stderr)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--ids", "17"), "option --ids 17: must be 1 to 16"),
        (("--burst-bytes", "48"), "option --burst-bytes 48: must be a power of two"),
        (("--pattern", "sideways"), "pattern sideways is unknown; there are sequential_read"),
        (("--window", "long"), "option --window: long is not a number"),
        (("--colour", "red"), "option --colour is unknown; options:"),
        (("--seed",), "option --seed has no value"),
        (("--registers", "0xc4=100,0xc5=1"), "option --registers 0xc5=1: must be ADDRESS=VALUE"),
        (("--registers", "age_limit=1"), "option --registers age_limit=1: must be ADDRESS=VALUE"),
        (("--registers", "0xc4=1"), "register 196: the controller refuses the value 1 with response 2"),
        (("--pattern", "idle_row_hit", "--ids", "2"), "option --ids 2: this pattern has one read in flight"),
    ],
)
def test_a_wrong_option_is_named(options, complaint):
    ended = program("weir", *options)
    assert ended.returncode == 2
    assert complaint in ended.stderr


def test_the_storm_finds_a_weir_that_starves_the_oldest_read():
    """With a limit of 4000 cycles on reordering, set by register, the oldest read waits until a refresh."""
    config = json.loads((run.ROOT / "build/hw/traffic-ddr3-2rank-p1/Weir.json").read_text())
    words = registers.words(run.ROOT / "build/hw/traffic-ddr3-2rank-p1/Weir.rdl", {"age_limit": 4000})
    found = run.simulate("weir", Point("ddr3-2rank", "row_hit_storm", 1, 16, 64), SEED, tuple(words))
    assert found["oldest_read_wait"] > 4 * bound_cycles(config)


def test_litedram_has_no_registers():
    ended = program("litedram", "--registers", "0xc4=200")
    assert ended.returncode == 2
    assert "this controller has no registers" in ended.stderr


def measured(**changes) -> dict:
    latency = {"count": 1, "mean": 20.0, "p99": 25, "least": 20, "most": 25}
    base = {
        "cycles": 1000,
        "window": 1000,
        "read_bytes": 6400,
        "written_bytes": 0,
        "checked_bytes": 6400,
        "read_latency": latency,
        "bystander_read_latency": latency,
        "longest_silence": 100,
        "oldest_read_wait": 30,
        "violations": {},
    }
    return {**base, **changes}


def run_with(monkeypatch, tmp_path, simulate) -> int:
    """run.main over one point, with the simulations replaced."""
    monkeypatch.setattr(run, "simulate", simulate)
    monkeypatch.setattr(run, "points", lambda _: [Point("ddr3-2rank", "random_read", 1, 8, 64)])
    monkeypatch.setattr("sys.argv", ["run.py", "--output", str(tmp_path)])
    return run.main()


def test_a_violation_by_weir_fails_the_run(monkeypatch, tmp_path, capsys):
    broken = measured(violations={"tRCD": 3})
    assert run_with(monkeypatch, tmp_path, lambda controller, *_: broken if controller == "weir" else measured()) == 1
    assert "Weir broke the protocol" in capsys.readouterr().out


def test_a_port_that_weir_starves_fails_the_run(monkeypatch, tmp_path, capsys):
    starved = measured(longest_silence=6001)
    assert run_with(monkeypatch, tmp_path, lambda controller, *_: starved if controller == "weir" else measured()) == 1
    assert "Weir starved a port" in capsys.readouterr().out


def test_a_violation_by_litedram_is_counted(monkeypatch, tmp_path):
    broken = measured(violations={"tRCD": 3})
    assert (
        run_with(monkeypatch, tmp_path, lambda controller, *_: broken if controller == "litedram" else measured()) == 0
    )
    rows = json.loads((tmp_path / "traffic.json").read_text())["rows"]
    assert [row["violations"] for row in rows] == [{}, {"tRCD": 3}]


@pytest.mark.parametrize("wrong", run.CONTROLLERS)
def test_wrong_data_of_either_fail_the_run(monkeypatch, tmp_path, capsys, wrong):
    def simulate(controller, *_):
        if controller == wrong:
            raise run.Failed("byte at 0x40 is 0x01; legal: 0x00")
        return measured()

    assert run_with(monkeypatch, tmp_path, simulate) == 1
    assert "byte at 0x40" in capsys.readouterr().out
    assert not (tmp_path / "traffic.json").exists()


def test_a_weir_for_another_memory_is_refused(tmp_path):
    parameters = of_system(SYSTEMS["ddr3-2rank"], 1)
    require_same(parameters, parameters, tmp_path)
    other = dataclasses.replace(parameters, cl=10)
    with pytest.raises(ValueError, match="cl is 10, but the head to head's system has 11"):
        require_same(other, parameters, tmp_path)
