# SPDX-License-Identifier: Apache-2.0
"""What a program's reads wait for."""

import json

import measured
import pytest
import read_waits
import records

RESULT = {
    "cores": [
        {"instructions": 4000, "llc_misses": 8, "read_latency": {"mean": 20.0}},
        {"instructions": 1000, "llc_misses": 9, "read_latency": {"mean": 90.0}},
    ],
    "counters": {
        "source_rank[0][0].read_hits": 6,
        "source_rank[0][1].read_conflicts": 2,
        "source_rank[0][0].write_hits": 5,
        "source_rank[1][0].read_hits": 50,
        "source_rank[0][0].stalls_bank": 12,
        "source_rank[0][1].stalls_bank": 4,
        "source_rank[1][1].stalls_bus": 70,
        "source_rank[0][1].stalls_write_drain": 8,
    },
}


def test_waits_are_those_of_the_first_core():
    # 8 misses in 4000 instructions; of 8 reads 6 hit; 16 cycles for a bank and 8 for drains
    assert read_waits.waits(RESULT) == [2.0, 20.0, 0.75, 2.0, 0, 0, 1.0, 0, 0]


def test_runs_of_a_folder_are_averaged(tmp_path):
    other = json.loads(json.dumps(RESULT))
    other["cores"][0]["llc_misses"] = 16
    for seed, result in enumerate([RESULT, other]):
        (tmp_path / f"{seed}.json").write_text(json.dumps({"result": result}))
    assert measured.mean_of_runs(tmp_path, read_waits.waits)[:2] == [3.0, 20.0]


def test_a_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(records.RecordError, match=f"^{tmp_path}: has no record of a run$"):
        measured.mean_of_runs(tmp_path, read_waits.waits)


def test_a_damaged_record_is_refused(tmp_path):
    path = tmp_path / "1.json"
    path.write_text(json.dumps({"result": {"cores": RESULT["cores"]}}))
    with pytest.raises(records.RecordError, match=f"^{path}: result: counters is missing$"):
        measured.mean_of_runs(tmp_path, read_waits.waits)
