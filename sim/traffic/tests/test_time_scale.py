# SPDX-License-Identifier: Apache-2.0
"""`make time-scale` without its simulations: what is written, and the rows."""

import run
import time_scale
from matrix import DEFAULT_SYSTEM, Point
from rich.console import Console


def test_what_is_written_is_the_factor_and_the_kind_of_memory():
    point = time_scale.points()[0]
    assert set(time_scale.words(point, 4, "slow")) == {(0xEC, 4 | 1 << 8)}
    assert set(time_scale.words(point, 8, "real_time")) == {(0xEC, 8)}
    conflicts = Point(DEFAULT_SYSTEM, "idle_row_conflict", 1, 1, 64)
    assert set(time_scale.words(conflicts, 8, "real_time")) == {(0xE4, 0), (0xEC, 8)}
    *_, words, features, times = time_scale.job(time_scale.points()[0], 1, 4, "slow")
    assert (set(words), features, times) == ({(0xEC, 0x104)}, "time_scale=4", 4)
    assert time_scale.job(time_scale.points()[0], 1, 4, "real_time")[-2:] == ("", 4)


def test_a_simulation_of_a_slower_memory_lasts_as_many_times_longer(monkeypatch):
    commands = []

    class Ended:
        returncode, stdout = 0, "{}\n"

    monkeypatch.setattr(run.subprocess, "run", lambda command, **_: commands.append(command) or Ended)
    point = Point(DEFAULT_SYSTEM, "random_read", 1, 1, 64)
    for times in (1, 4):
        run.simulate("weir", point, 1, times=times)
    once, longer = (
        [int(command[command.index(f"--{each}") + 1]) for each in ("warmup", "window")] for command in commands
    )
    assert longer == [4 * cycles for cycles in once]


def test_rows_are_shares_of_factor_1():
    measured = {
        (point, factor, memory): {
            "pattern": point.pattern,
            "ids": point.ids,
            "efficiency": 0.5 / factor + (factor == 1 and memory == "real_time") * 0.1,
            "read_latency_mean": 50.0 * factor + 10,
        }
        for point in time_scale.points()
        for factor, memory in time_scale.scales()
    }
    found = time_scale.rows(measured)
    of = {(row["factor"], row["memory"]): row for row in found if row["pattern"] == "random_2to1"}
    assert (of[1, "slow"]["pace"], of[4, "slow"]["pace"], of[4, "real_time"]["pace"]) == (1.0, 1.0, 0.8333)
    assert of[4, "slow"]["latency"] == round(210 / 240, 4)
    console = Console(width=200, record=True)
    console.print(time_scale.table(found))
    assert "0.83 0.88" in console.export_text()
