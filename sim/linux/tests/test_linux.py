# SPDX-License-Identifier: Apache-2.0
"""Linux on the simulated SoC: one hart from its snapshot, four from power-on until they are all up.

What is marked `long` takes ten minutes on a slow machine: `make linux-long` runs it, `make test` does not."""

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


def counted(console):
    """{(event, rank): count} of weirstat's table, harts together."""
    counts = {}
    for name, rank, count in re.findall(r"^(\w+) +(?:-|\d+) +(\d+) +(\d+) ", console, re.MULTILINE):
        counts[name, int(rank)] = counts.get((name, int(rank)), 0) + int(count)
    return counts


def modelled(summary, since, until):
    """{(event, rank): count} of the DRAM model between two marks."""
    at = summary["dram_at_marks"]
    return {
        (event, rank): after[name] - before[name]
        for event, name in COMMANDS.items()
        for rank, (after, before) in enumerate(zip(at[until]["ranks"], at[since]["ranks"], strict=True))
    }


def test_benchmark_ends_well(script):
    run = script("weir-1", "exec weirstat -- membench --quick")
    assert run.code == 0, run.console + run.messages
    assert f"{machine.AT_EXIT} 0" in run.console
    assert "membench: 0 result(s) with wrong data" in run.console
    assert run.summary["violations"] == 0


LOADS = (131072, 30)
"""Bytes of the buffer and rounds of `chase`: 2048 lines, each read from memory 30 times, as the cache has 64 lines."""

MARKS = ("mark: before", "mark: begin", "mark: end", "mark: after")
"""Lines of the guest around weirstat, and around the loads of the command that it counts for."""


def counted_loads(script, size, rounds):
    """The run of `chase` under weirstat, with the marks. The kernel prints a line of /dev/kmsg before the write ends:
    the simulator sees each mark while the guest is there."""
    before, begin, end, after = (f"echo '<0>{mark}' > /dev/kmsg" for mark in MARKS)
    command = f"{begin}; chase --size {size} --iterations {rounds:02}; {end}"
    lines = (f'weirstat -e {",".join(COMMANDS)} -- sh -c "{command}" 2> /counts', after, "cat /counts")
    run = script("weir-1", before, *lines, options=[word for mark in MARKS for word in ("--mark", mark)])
    assert run.code == 0, run.console + run.messages
    return run


def test_weirstat_agrees_with_the_dram_model(script):
    size, rounds = LOADS
    loads = counted_loads(script, size, rounds)
    told = counted(loads.console)
    inside, around = modelled(loads.summary, *MARKS[1:3]), modelled(loads.summary, MARKS[0], MARKS[3])
    assert set(told) == set(inside) == set(around)
    assert sum(inside["reads", rank] for rank in (0, 1)) > size // 64 * rounds
    for key, count in told.items():
        assert inside[key] < count < around[key], key

    # The same command with a single round does the same until the mark of the loads, in the same pages. After their end
    # it stops counting, in which a tick may strike in one run and not in the other.
    nothing = counted_loads(script, size, 1)
    told_of_nothing, inside_of_nothing = counted(nothing.console), modelled(nothing.summary, *MARKS[1:3])
    end, after = (loads.summary["marks"][mark] for mark in MARKS[2:])
    of_the_end = modelled(loads.summary, *MARKS[2:])
    for key, count in told.items():
        a_tick = of_the_end[key] / (after - end) * TICK
        assert count - told_of_nothing[key] == pytest.approx(inside[key] - inside_of_nothing[key], abs=a_tick), key


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
