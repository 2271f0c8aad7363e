# SPDX-License-Identifier: Apache-2.0
"""The BIOS initialises the DRAM and tests it, then the harts run membench."""

import results
from conftest import FOUR_HARTS, ONE_HART, membench_quick, on_each


@on_each
def test_bios_and_membench(soc):
    run = membench_quick(soc)
    assert run.code == 0, run.console + run.messages
    assert "Build your hardware, easily!" in run.console
    assert "2.0GiB 64-bit @ 1600MT/s (CL-11 CWL-8)" in run.console
    assert "Memtest OK" in run.console
    assert f"membench on {soc.harts} hart(s) at 200 MHz" in run.console
    assert "controller: Weir " in run.console
    rows = results.parse(run.console)
    tests = {(row["test"], row["harts"]) for row in rows}
    kinds = ("chase_latency", "sequential_read", "sequential_write", "copy", "random_read", "random_write")
    assert tests == {(kind, count) for kind in kinds for count in {1, soc.harts}}
    for row in rows:
        assert row["unit"] == ("cycles" if row["test"] == "chase_latency" else "MB/s")
        assert row["value"] > 0


def test_cache_and_dram_differ():
    rows = results.parse(membench_quick(ONE_HART).console)
    latency = {row["footprint_bytes"]: row["value"] for row in rows if row["test"] == "chase_latency"}
    assert latency[2048] < 4  # a load that hits takes Rocket two cycles; the loop adds a little
    assert 20 < latency[8192] < 200


def test_litedrams_checker_objects_to_nothing():
    """The SoC of one hart has LiteDRAM's DFITimingsChecker on its DFI; test_checker.py shows that it does object."""
    assert "violation" not in membench_quick(ONE_HART).console


def test_counters_are_told_by_hart():
    """Hart 0 alone ran the first half of the measurements, so that it has read more than any other."""
    counts = {}
    for line in membench_quick(FOUR_HARTS).console.splitlines():
        words = line.split()
        if words[:1] == ["hart"] and words[2:3] == ["rank"]:
            hits, misses, conflicts = (int(word) for word in words[4:7])
            counts[int(words[1])] = counts.get(int(words[1]), 0) + hits + misses + conflicts
    assert sorted(counts) == [0, 1, 2, 3]
    assert all(0 < counts[hart] < counts[0] for hart in (1, 2, 3))
