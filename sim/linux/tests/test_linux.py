# SPDX-License-Identifier: Apache-2.0
"""Linux on the simulated SoC: one hart from its snapshot, four from power-on until they are all up."""

import re
import subprocess

import machine
import pytest
from conftest import ROOT

MOST_CYCLES_TO_INIT = 33_000_000

FOUR_HARTS_UP = "smp: Brought up 1 node, 4 CPUs"

CONSOLE_OF_A_LINE = 40_000
"""Cycles in which the kernel prints a line; the simulator sees it that much later than init says."""


def test_one_hart_reaches_init_in_time(boot):
    assert boot["exit_code"] == 0
    assert boot["marks"][machine.AT_INIT] <= MOST_CYCLES_TO_INIT


def test_init_counts_the_simulators_cycles(boot):
    console = machine.snapshot("weir-1").with_name("console.txt").read_text()
    told = int(re.search(rf"{machine.AT_INIT} (\d+)", console)[1])
    assert told <= boot["marks"][machine.AT_INIT] <= told + CONSOLE_OF_A_LINE


def test_no_dram_rule_was_broken(boot):
    assert boot["violations"] == 0


# ---- counters against the DRAM model

COMMANDS = {"activates": "activates", "reads": "reads", "writes": "writes"}
"""Events of weirstat -> counts of the DRAM model, of each rank."""


def counted(console):
    """{(event, rank): count} of weirstat's table, harts together."""
    counts = {}
    for name, rank, count in re.findall(r"^(\w+) +(?:-|\d+) +(\d+) +(\d+) ", console, re.MULTILINE):
        counts[name, int(rank)] = counts.get((name, int(rank)), 0) + int(count)
    return counts


def modelled(summary, before):
    """{(event, rank): count} of the DRAM model between two summaries."""
    return {
        (event, rank): after[name] - earlier[name]
        for event, name in COMMANDS.items()
        for rank, (after, earlier) in enumerate(zip(summary["dram"]["ranks"], before["dram"]["ranks"], strict=True))
    }


@pytest.fixture(scope="module")
def benchmark(script):
    return script("weir-1", f"exec weirstat -e {','.join(COMMANDS)} -- membench --quick")


def test_benchmark_ends_well(benchmark):
    assert benchmark.code == 0, benchmark.console + benchmark.messages
    assert f"{machine.AT_EXIT} 0" in benchmark.console
    assert benchmark.summary["violations"] == 0


def test_weirstat_agrees_with_the_dram_model(benchmark, script, boot):
    # What the guest does before and after weirstat's command is measured by a command that does nothing.
    nothing = script("weir-1", f"exec weirstat -e {','.join(COMMANDS)} -- busybox true")
    assert nothing.code == 0, nothing.console + nothing.messages
    told, told_of_nothing = counted(benchmark.console), counted(nothing.console)
    seen, seen_of_nothing = modelled(benchmark.summary, boot), modelled(nothing.summary, boot)
    assert set(told) == set(seen)
    for key, count in told.items():
        around = seen_of_nothing[key] - told_of_nothing[key]
        assert around >= 0, key
        assert seen[key] - around == pytest.approx(count, rel=0.01, abs=200), key
    assert sum(told.values()) > 20 * sum(told_of_nothing.values())


def test_driver_selftests_pass(script):
    run = script("weir-1", "cd /selftests/weir", "sh ./weir_sysfs.sh && sh ./weir_pmu.sh")
    assert run.code == 0, run.console + run.messages
    assert "not ok" not in run.console
    assert len(re.findall(r"^ok \d+ ", run.console, re.MULTILINE)) > 10, run.console


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


def test_four_harts_come_up(simulate, tmp_path):
    tree = tmp_path / "weir-4.dtb"
    make_tree = [
        "python",
        ROOT / "sw/guest/machine/device_tree.py",
        ROOT / "build/soc/weir-4/csr.json",
        machine.GUEST / "initramfs.cpio",
        tree,
        "--bootargs",
        "ignore_loglevel earlycon=sbi",
    ]
    subprocess.run(make_tree, check=True)
    # the text is what the run is to end at, not a failure
    run = simulate(machine.boot("weir-4", tree), "--fail-on", FOUR_HARTS_UP)
    assert FOUR_HARTS_UP in run.console, run.console + run.messages
    assert run.summary["violations"] == 0
    assert all(count > 10_000 for count in run.summary["instructions"])
