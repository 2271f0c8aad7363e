# SPDX-License-Identifier: Apache-2.0
"""What runs on which hart, and how it is started."""

import subprocess
import sys
from pathlib import Path

import capture
import placements
import pytest
import tables
import workloads

PROGRAMS = Path(__file__).resolve().parents[1]


def test_each_program_is_several_workloads():
    found = workloads.load()
    assert [program.name for program in found["gups"].programs] == ["gups"] * 8
    assert [program.name for program in found["gups_alone"].programs] == ["gups"]
    assert [program.name for program in found["gups_beside_stream"].programs] == ["gups", "stream", "stream", "stream"]
    assert [program.name for program in found["mg_threads"].programs] == ["mg"] * 8
    assert "gups_threads" not in found
    assert found["xz_beside_stream"].memory == 2048
    assert len(workloads.load(copies=4)["gups"].programs) == 4


@pytest.mark.parametrize("taken", ["gups_alone", "gups_threads", "gups_beside_stream"])
def test_a_program_that_is_called_as_a_workload_is_refused(tmp_path, taken):
    path = tmp_path / "programs.yaml"
    entry = "{stands_for: one, kernel: gups, threads: [], arguments: [], input: none, memory: 128, memory_bound: true}"
    path.write_text(f"gups: {entry}\n{taken}: {entry}\n")
    with pytest.raises(workloads.tables.TableError, match=f"^{path}: {taken}: is the name of a workload of gups"):
        workloads.load(path=path)


def test_programs_are_started_in_the_order_of_their_harts():
    found = workloads.load()
    assert capture.command(found["gups_beside_stream"]) == "lab-run 1 /lab/gups 21 100 -- 3 /lab/stream 1000000 100"
    assert capture.command(found["mg_threads"]) == "lab-run 0 /lab/mg 7 1000"
    assert capture.command(found["stream_beside_stream"]) == "lab-run 4 /lab/stream 1000000 100"


def test_a_kernel_takes_no_place_of_the_guests():
    """Files of the guest's /bin are links to one: to write one would be to write all."""
    for workload in workloads.load().values():
        for program in workload.programs:
            assert program.program.startswith(("/lab/", "/usr/"))


def test_a_thread_tells_which_rank_it_prefers():
    console = "hart 2 prefers rank 3\r\nhart 0 prefers rank 1\nmg: hart 1 prefers rank 2\n"
    assert capture.preferred_ranks(console, 4) == [1, None, 3, None]
    assert capture.preferred_ranks("", 2) == [None, None]


def test_two_inputs_are_refused(tmp_path):
    found = workloads.load()
    both = workloads.Workload("both", (found["bzip2"].programs[0], found["xz"].programs[0]))
    with pytest.raises(capture.CaptureError, match="both: bzip2, xz all have an input"):
        capture.initramfs(both, tmp_path, tmp_path)


def test_a_placement_is_a_script():
    script = placements.load()["palloc_private"].script()
    assert script[0] == "set -e" and script[-1] == "set +e"
    assert script[1].startswith('[ "$(cat /sys/kernel/mm/page_colour/colours)" = 16 ] ||')
    assert "mkdir hart-0 hart-1 hart-2 hart-3" in script
    assert placements.load()["default"].script() == []
    of_nodes = placements.load()["rank_assignment"].script()
    assert of_nodes[1].startswith('[ "$(cat /sys/devices/system/node/online)" = 0-3 ] ||')


def test_a_node_is_a_rank_in_what_is_captured():
    """Of 512 MiB, four nodes of 128: address bits 27 and 28 are exchanged with those of rank and channel."""
    placement = placements.load()["rank_assignment"]
    assert (placement.nodes, placement.exchanged(512)) == (4, [(27, 18), (28, 17)])
    default = placements.load()["default"]
    assert (default.nodes, default.exchanged(512)) == (1, [])


@pytest.mark.parametrize("nodes", ["3", "40000+40000", "1+2+4", "40000+", "rank", ""])
def test_nodes_that_cannot_be_are_refused(tmp_path, nodes):
    table = tmp_path / "placements.yaml"
    table.write_text(f"mine: {{colours: none, nodes: '{nodes}', setup: [], memory: 0}}\n")
    with pytest.raises(tables.TableError, match=r"placements.yaml: mine.nodes: .* must be none, or MASK.MASK"):
        placements.load(table)


@pytest.mark.parametrize("colours", ["bogus:zz", "channel:20000,rank:40000 foo", "rank:", "rank:1+", ""])
def test_a_map_that_cannot_be_is_refused(tmp_path, colours):
    table = tmp_path / "placements.yaml"
    table.write_text(f"mine: {{colours: '{colours}', nodes: none, setup: [], memory: 0}}\n")
    with pytest.raises(tables.TableError, match=r"placements.yaml: mine.colours: .* must be none, or DIMENSION:MASK"):
        placements.load(table)


def test_copies_of_other_work_are_refused():
    found = workloads.load(copies=3)
    of_harts = [{"instructions": count} for count in (22_000_000, 21_900_000, 10_900_000)]
    with pytest.raises(capture.CaptureError, match=r"gups: copies of gups execute from 10900000 to 22000000"):
        capture.check_alike(found["gups"], of_harts)
    capture.check_alike(found["gups"], of_harts[:2])
    # one gups, copies of stream, and threads need not be alike
    capture.check_alike(found["gups_beside_stream"], [of_harts[0], *[of_harts[2]] * 3])
    with pytest.raises(capture.CaptureError, match="copies of stream execute"):
        capture.check_alike(found["gups_beside_stream"], [of_harts[0], *of_harts])
    capture.check_alike(found["mg_threads"], of_harts)


def test_a_capture_is_of_the_whole_length_and_of_the_program():
    gups = workloads.load()["gups"]
    capture.check_length(gups, [{"accesses": 400}, {"accesses": 401}], 400)
    with pytest.raises(capture.CaptureError, match="gups: hart 1 made 399 accesses: must be 400; its program has end"):
        capture.check_length(gups, [{"accesses": 400}, {"accesses": 399}], 400)
    capture.check_kernel(gups, [{"accesses": 400, "kernel": kernel} for kernel in (160, 200, 240)])
    with pytest.raises(capture.CaptureError, match="gups: 55 % of the accesses are the kernel's: must be 50 % at most"):
        capture.check_kernel(gups, [{"accesses": 400, "kernel": kernel} for kernel in (200, 240)])


def test_a_failed_capture_leaves_the_one_before(tmp_path):
    (tmp_path / "record.json").write_text("{}")
    (tmp_path / "hart-0.trace.zst").write_bytes(b"whole")
    words = [
        sys.executable,
        PROGRAMS / "capture.py",
        "gups",
        tmp_path,
        "--image",
        tmp_path / "none",
        "--kernels",
        tmp_path,
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"{tmp_path}/gups: there is none: make it first" in done.stderr
    assert (tmp_path / "hart-0.trace.zst").read_bytes() == b"whole" and (tmp_path / "record.json").read_text() == "{}"
