# SPDX-License-Identifier: Apache-2.0
"""Linux on the simulated SoC: one hart from its snapshot, four from power-on until they are all up.

What is marked `long` takes ten minutes on a slow machine: `make linux-long` runs it, `make test` does not."""

import itertools
import json
import re
import subprocess

import machine
import pytest
from conftest import ROOT

MOST_CYCLES_TO_INIT = 28_000_000

FOUR_HARTS_UP = "smp: Brought up 1 node, 4 CPUs"

CONSOLE_OF_A_LINE = 40_000
"""Cycles in which the kernel prints a line; the simulator sees it that much later than init says."""

TICK = 150_000
"""Cycles of a tick of the kernel's timer, one of which may come in between: the tick and the RCU grace period that it
begins and ends took 113,600 where the instruction cache's misses were looked at. The next one is 8,000,000 later."""


def test_one_hart_reaches_init_in_time(boot):
    assert boot["exit_code"] == 0
    assert boot["marks"][machine.AT_INIT] <= MOST_CYCLES_TO_INIT


def test_init_counts_the_simulators_cycles(boot):
    console = machine.snapshot("weir-1").with_name("console.txt").read_text()
    told = int(re.search(rf"{machine.AT_INIT} (\d+)", console)[1])
    assert told <= boot["marks"][machine.AT_INIT] <= told + TICK + CONSOLE_OF_A_LINE


def test_no_dram_rule_was_broken(boot):
    assert boot["violations"] == 0


# ---- counters against the DRAM model

COMMANDS = {"activates": "activates", "reads": "reads", "writes": "writes"}
"""Events of weirstat -> counts of the DRAM model, of each rank."""

IN_FLIGHT = 4
"""Commands of a kind that Weir has counted and that have not reached the DRAM."""


def counted(console):
    """{(event, rank): count} of weirstat's table, harts together."""
    counts = {}
    for name, rank, count in re.findall(r"^(\w+) +(?:-|\d+) +(\d+) +(\d+) ", console, re.MULTILINE):
        counts[name, int(rank)] = counts.get((name, int(rank)), 0) + int(count)
    return counts


def agreeing(told, snapshots):
    """Pairs of snapshots between which the DRAM model has counted what `told` says, but for commands in flight."""

    def apart(counts, name, rank):
        since, until = (snapshot["dram"]["ranks"][rank][name] for snapshot in counts)
        return until - since

    return [
        pair
        for pair in itertools.combinations(snapshots, 2)
        if all(abs(count - apart(pair, COMMANDS[event], rank)) <= IN_FLIGHT for (event, rank), count in told.items())
    ]


def test_benchmark_ends_well(script):
    run = script("weir-1", "exec weirstat -- membench --quick")
    assert run.code == 0, run.console + run.messages
    assert f"{machine.AT_EXIT} 0" in run.console
    assert "membench: 0 result(s) with wrong data" in run.console
    assert run.summary["violations"] == 0


@pytest.mark.parametrize("wrong", [None, "activates", "reads", "writes"])
def test_a_counter_that_is_wrong_is_found(wrong):
    counts = [{"activates": 100 * i, "reads": 500 * i, "writes": 300 * i} for i in range(4)]
    snapshots = [{"cycle": i, "dram": {"ranks": [counts[i], counts[3 - i]]}} for i in range(3)]
    told = {(event, 0): 2 * counts[1][event] + (event == wrong) * (IN_FLIGHT + 1) for event in COMMANDS}
    told |= {(event, 1): -2 * counts[1][event] for event in COMMANDS}
    assert agreeing(told, snapshots) == ([] if wrong else [(snapshots[0], snapshots[2])])


def test_weirstat_agrees_with_the_dram_model(script):
    """All events of the group start in one cycle and end in one: those of two snapshots of the counters."""
    run = script("weir-1", f"weirstat -t -e {','.join(COMMANDS)} -- stream --size 49152 --iterations 8")
    assert run.code == 0, run.console + run.messages
    told = counted(run.console)
    assert set(told) == {(event, rank) for event in COMMANDS for rank in (0, 1)}
    # of each far more than could be in flight
    assert all(count > 100 * IN_FLIGHT for (event, _), count in told.items()), told
    assert len(agreeing(told, run.summary["counter_snapshots"])) == 1, (told, run.summary["counter_snapshots"])


# ---- drivers


@pytest.mark.long
def test_drivers_pass_their_selftests(script):
    run = script("weir-1", (ROOT / "sim/linux/selftests.sh").read_text())
    assert run.code == 0, run.console + run.messages
    assert len(re.findall(r"^ok \d+", run.console, re.MULTILINE)) == 11 + 4
    assert "not ok" not in run.console and "SKIP" not in run.console
    assert run.summary["violations"] == 0


@pytest.mark.long
def test_hot_pages_of_nvm_move(script):
    run = script("weir-1-hybrid", "exec /selftests/weir/weir_rainbow")
    assert run.code == 0, run.console + run.messages
    assert re.findall(r"^(not ok|ok) \d+", run.console, re.MULTILINE) == ["ok"] * 7, run.console
    assert "SKIP" not in run.console
    assert run.summary["violations"] == 0


# ---- ends of a run


def test_exit_status_of_the_script_is_that_of_the_simulator(script):
    run = script("weir-1", "exit 7")
    assert run.code == 7
    assert f"{machine.AT_EXIT} 7" in run.console


def test_panic_ends_the_run(script):
    run = script("weir-1", "echo c > /proc/sysrq-trigger")
    assert run.code == 121
    assert machine.PANIC in run.messages


# ---- four harts


@pytest.mark.long
def test_four_harts_come_up(simulate, tmp_path):
    tree = tmp_path / "weir-4.dtb"
    description = ROOT / "build/soc/weir-4/csr.json"
    # the kernel's own console comes with its drivers only, when half as much again has been simulated
    uart = json.loads(description.read_text())["csr_bases"]["uart"]
    make_tree = [
        "python",
        ROOT / "sw/guest/machine/device_tree.py",
        description,
        machine.GUEST / "initramfs.cpio",
        tree,
        "--bootargs",
        f"ignore_loglevel earlycon=liteuart,mmio32,{uart:#x}",
    ]
    subprocess.run(make_tree, check=True)
    # the text is what the run is to end at, not a failure
    run = simulate(machine.boot("weir-4", tree), "--fail-on", FOUR_HARTS_UP)
    assert FOUR_HARTS_UP in run.console, run.console + run.messages
    assert run.summary["violations"] == 0
    assert all(count > 10_000 for count in run.summary["instructions"])
