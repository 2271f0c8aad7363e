# SPDX-License-Identifier: Apache-2.0
"""What is made of the console of a run, and of the rows of several."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "sim" / "rainbow")]

import compare  # noqa: E402

RUN = compare.Run("rainbow", "gups-hot", 3)
CONSOLE = """
figures before
statistics/intervals:2
statistics/promoted:0
statistics/evicted:0
statistics/declined:3
statistics/refused:0
statistics/moved_lines:1024
statistics/redirected_reads:7
statistics/redirected_writes:7
statistics/bitmap_misses:7
statistics/pointer_misses:7
statistics/threshold_ns:-2
workload=gups-hot seed=3 operations=32768 cycles=900 latter_half=400 result=right
cycles,,,4000
reads,0,0,100
reads,0,1,40
reads,,1,2
writes,0,0,50
writes,0,1,7
figures after
statistics/intervals:12
statistics/promoted:9
statistics/evicted:1
statistics/declined:3
statistics/refused:0
statistics/moved_lines:1600
statistics/redirected_reads:8
statistics/redirected_writes:9
statistics/bitmap_misses:10
statistics/pointer_misses:11
statistics/least_count:21
costs/migrate_ns:2500
frames:512
"""
SLOWED = {
    "cycles": 950,
    "instructions": [300, 20],
    "page_walks": {"data": [5, 1], "instructions": [2, 0], "reads": [9, 2]},
}


def test_a_row_has_what_was_done():
    row = compare.row(RUN, CONSOLE, SLOWED)
    assert (row["policy"], row["program"], row["seed"]) == ("rainbow", "gups-hot", 3)
    assert (row["cycles"], row["latter_half"], row["operations"]) == (900, 400, 32768)
    assert [row[f"{kind}_{event}"] for kind in ("dram", "nvm") for event in ("reads", "writes")] == [100, 50, 42, 7]
    assert (row["intervals"], row["promoted"], row["evicted"], row["moved_lines"]) == (10, 9, 1, 576)
    # a policy may need other settings than those that all begin with
    settings = ("migrate_ns", "least_count", "scale", "frames")
    assert [row[name] for name in settings] == [2500, 21, compare.SCALE, 512]
    assert [row[f"redirected_{name}"] for name in ("reads", "writes")] == [1, 2]
    assert row["instructions"] == 320
    assert [row[f"walks_{name}"] for name in ("data", "instructions", "reads")] == [6, 2, 11]


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        ("result=right", "result=wrong", "read wrong data"),
        ("workload=", "work=", "0 results of the program"),
        ("moved_lines:1600", "moved_lines:1600\nstatistics/refused:1", "refused moves"),
        ("after", "then", "no statistics"),
        ("statistics/evicted:1", "", "no statistics"),
        ("writes,0,1,7", "", "weirstat counted dram_reads, nvm_reads, dram_writes"),
    ],
)
def test_a_run_that_did_not_go_well_is_none(text, other, said):
    with pytest.raises(compare.Failed, match=rf"^gups-hot-1-rainbow-3: .*{said}"):
        compare.row(RUN, CONSOLE.replace(text, other), SLOWED)


def test_rows_of_the_same_measurement_are_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(compare, "RESULTS", tmp_path / "results" / "rainbow.json")
    first = compare.row(RUN, CONSOLE, SLOWED)
    other = {**first, "seed": 4}
    assert compare.keep([first, other]) == [first, other]
    newer = {**first, "cycles": 7}
    assert compare.keep([newer]) == [newer, other]


def test_the_table_is_relative_to_dram_of_the_same_seed():
    row = compare.row(RUN, CONSOLE, SLOWED)
    dram = {**row, "policy": "dram_only", "cycles": 450, "latter_half": 400}
    table = compare.table([row, dram, {**row, "seed": 9}])
    columns = {column.header: list(column.cells) for column in table.columns}
    assert columns["policy"] == ["dram_only", "rainbow"]
    assert columns["time"] == ["1.000", "2.000"]
    assert columns["latter half"] == ["1.000", "1.000"]


def test_four_harts_have_a_thread_each_and_rows_of_their_own(tmp_path, monkeypatch):
    four = compare.Run("rainbow", "gups-hot", 3, harts=4)
    assert (RUN.soc, four.soc) == ("weir-1-hybrid", "weir-4-hybrid")
    assert "--threads 4" in four.script() and "--threads" not in RUN.script()
    monkeypatch.setattr(compare, "RESULTS", tmp_path / "rainbow.json")
    rows = [compare.row(run, CONSOLE, SLOWED) for run in (RUN, four)]
    assert compare.keep(rows) == rows
    dram = [{**row, "policy": "dram_only", "cycles": cycles} for row, cycles in zip(rows, (450, 300), strict=True)]
    columns = {column.header: list(column.cells) for column in compare.table(rows + dram).columns}
    assert columns["harts"] == ["1", "1", "4", "4"]
    assert columns["time"] == ["1.000", "2.000", "1.000", "3.000"]
