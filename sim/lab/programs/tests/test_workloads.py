# SPDX-License-Identifier: Apache-2.0
"""What runs on which hart, and how it is started."""

import capture
import placements
import pytest
import workloads


def test_each_program_is_several_workloads():
    found = workloads.load()
    assert [program.name for program in found["gups"].programs] == ["gups"] * 8
    assert [program.name for program in found["gups_alone"].programs] == ["gups"]
    assert [program.name for program in found["gups_beside_stream"].programs] == ["gups", "stream", "stream", "stream"]
    assert [program.name for program in found["mg_threads"].programs] == ["mg"] * 8
    assert "gups_threads" not in found
    assert found["xz_beside_stream"].memory == 2048
    assert len(workloads.load(copies=4)["gups"].programs) == 4


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
    assert script[0] == "cd /sys/kernel/mm/page_colour || exit"
    assert "{ mkdir hart-0 hart-1 hart-2 hart-3; } || exit" in script


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
