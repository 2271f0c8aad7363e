# SPDX-License-Identifier: Apache-2.0
"""The BIOS initialises the DRAM and tests it, then the harts run membench."""

import results


def test_bios_and_membench(harts_and_soc):
    harts, soc = harts_and_soc
    run = soc.boot("membench-quick")
    assert run.code == 0, run.console + run.messages
    assert "Build your hardware, easily!" in run.console
    assert "2.0GiB 64-bit @ 1600MT/s (CL-11 CWL-8)" in run.console
    assert "Memtest OK" in run.console
    assert f"membench on {harts} hart(s) at 200 MHz" in run.console
    assert "controller: Weir " in run.console
    rows = results.parse(run.console)
    tests = {(row["test"], row["harts"]) for row in rows}
    kinds = ("chase_latency", "sequential_read", "sequential_write", "copy", "random_read", "random_write")
    assert tests == {(kind, count) for kind in kinds for count in {1, harts}}
    for row in rows:
        assert row["unit"] == ("cycles" if row["test"] == "chase_latency" else "MB/s")
        assert row["value"] > 0


def test_litedrams_checker_objects_to_nothing(one_hart):
    """The SoC of one hart has LiteDRAM's DFITimingsChecker on its DFI; test_checker.py shows that it does object."""
    run = one_hart.boot("membench-quick")
    assert run.code == 0
    assert "violation" not in run.console


def test_latency_of_cache_and_dram_differ(one_hart):
    latency = {
        row["footprint_bytes"]: row["value"]
        for row in results.parse(one_hart.boot("membench-quick").console)
        if row["test"] == "chase_latency"
    }
    assert latency[2048] < 4  # Rocket's load-to-use latency is two cycles; the loop adds a little
    assert 20 < latency[8192] < 200
