# SPDX-License-Identifier: Apache-2.0
"""The workloads and membench as user programs on a CPU without an FPU."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
TOOLS = ROOT / "build" / "guest" / "tools"
NAMES = ["anneal", "bfs", "chase", "gups", "gups-hot", "hashjoin", "spmv", "stencil", "stream"]
PARALLEL = ["chase", "gups", "gups-hot", "spmv", "stencil", "stream"]
KEYS = ["workload", "size", "iterations", "threads", "seed", "operations", "nanoseconds", "cycles", "bytes", "result"]
UNDISTURBED, LATTER_HALF = OF_PIECES = ("undisturbed", "latter_half")
"""There when the pieces of the work were timed."""


def command(program, *arguments, name=None):
    emulator = ["qemu-riscv64", "-cpu", "rv64,f=false,d=false", *(["-0", name] if name else [])]
    return [*emulator, TOOLS / program, *map(str, arguments)]


def start(program, *arguments, name=None):
    return subprocess.run(command(program, *arguments, name=name), capture_output=True, text=True)


def lines_of(text):
    return [dict(word.split("=") for word in line.split()) for line in text.splitlines()]


def bench(*arguments, program="weir-bench"):
    """The finished workload, and what its line says."""
    done = start(program, *arguments)
    (said,) = lines_of(done.stdout)
    assert [key for key in said if key not in OF_PIECES] == KEYS, done
    return done, said


@pytest.mark.parametrize("name", NAMES)
def test_the_quick_form_is_right_and_says_what_it_did(name):
    done, said = bench(name, "--quick")
    assert (done.returncode, done.stderr) == (0, "")
    assert (said["workload"], said["result"], said["threads"], said["seed"]) == (name, "right", "1", "1")
    for key in ("size", "iterations", "operations", "nanoseconds", "bytes"):
        assert int(said[key]) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_name_may_be_the_programs_own(name):
    done = start("weir-bench", "--quick", name=f"/bin/{name}")
    assert done.stdout.startswith(f"workload={name} ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_a_spoilt_result_is_found(name, iterations):
    """One bit in the middle of the result."""
    options = [name, "--quick", "--iterations", iterations]
    assert bench(*options, program="weir-bench-spoilable")[1]["result"] == "right"
    done, said = bench(*options, "--break", program="weir-bench-spoilable")
    assert said["result"] == "wrong"
    assert done.returncode == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_guests_own_build_cannot_be_spoilt(name):
    done = start("weir-bench", name, "--break")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 2, 2**64 - 1])
def test_other_seeds_are_right(name, seed):
    done, said = bench(name, "--quick", "--seed", seed)
    assert (done.returncode, said["seed"]) == (0, str(seed))


@pytest.mark.parametrize("name", PARALLEL)
@pytest.mark.parametrize("threads", [2, 3, 64])
def test_threads_change_nothing_of_the_result(name, threads):
    done, said = bench(name, "--quick", "--iterations", 3, "--threads", threads)
    assert (done.returncode, said["threads"]) == (0, str(threads))
    _, alone = bench(name, "--quick", "--iterations", 3)
    assert (said["operations"], said["bytes"]) == (alone["operations"], alone["bytes"])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_are_bound_to_the_harts_in_turn(threads):
    """One thread is bound to none."""
    allowed = sorted(os.sched_getaffinity(0))
    expected = [{allowed[thread % len(allowed)]} if threads > 1 else set(allowed) for thread in range(threads)]
    run = subprocess.Popen(command("weir-bench", "chase", "--size", 65536, "--seconds", 20, "--threads", threads))
    try:
        while sorted(map(sorted, harts_of_threads(run.pid))) != sorted(map(sorted, expected)):
            assert run.poll() is None
    finally:
        run.kill()
        run.wait()


def harts_of_threads(program):
    """Where each may run, but for the one that belongs to the emulator."""
    places = [os.sched_getaffinity(int(task.name)) for task in Path(f"/proc/{program}/task").iterdir()]
    everywhere = os.sched_getaffinity(0)
    if everywhere in places:
        places.remove(everywhere)
    return places


def test_it_stays_on_the_hart_it_is_given():
    hart = min(os.sched_getaffinity(0))
    done, said = bench("chase", "--quick", "--hart", hart)
    assert (done.returncode, said["result"]) == (0, "right")


IN_PIECES = ("anneal", "chase", "gups", "gups-hot", "spmv", "stream")
REPEATABLE = ("chase", "gups", "gups-hot")


@pytest.mark.parametrize("name", NAMES)
def test_pieces_are_timed(name):
    more = ("--iterations", 3, *(("--threads", 2) if name in PARALLEL else ())) if name in IN_PIECES else ()
    for options in ((), more):
        done, said = bench(name, "--quick", *options)
        assert (done.returncode, said["result"]) == (0, "right")
        assert [key in said for key in OF_PIECES] == [name in IN_PIECES] * 2
        if name in IN_PIECES:
            assert 0 < int(said[UNDISTURBED]) < 4 * int(said["cycles"])
            assert 0 < int(said[LATTER_HALF]) < int(said["cycles"])


def test_no_pieces_are_timed_where_the_work_has_no_end():
    assert UNDISTURBED not in bench("chase", "--quick", "--seconds", 1)[1]


def test_programs_that_meet_begin_together(tmp_path):
    """The one that comes first waits until the other has come; a third comes too late."""
    place = tmp_path / "place"
    options = ["chase", "--quick", "--meet", f"{place}=2"]
    first = subprocess.Popen(command("weir-bench", *options), stdout=subprocess.PIPE)
    try:
        while not place.exists() or place.read_bytes() != (1).to_bytes(8, "little"):
            assert first.poll() is None
        assert bench(*options[:2])[0].returncode == 0
        assert first.poll() is None, "it has ended as soon as one that waits for none"
        assert bench(*options)[0].returncode == 0
        assert b"result=right" in first.communicate()[0]
    finally:
        first.kill()
    done = start("weir-bench", *options)
    assert done.returncode == 1
    assert done.stderr == f"weir-bench: --meet {place}: 2 programs have met there already\n"


@pytest.mark.parametrize("name", REPEATABLE)
def test_work_is_timed_alone_and_after_each_meeting(tmp_path, name):
    """It waits for all whom it is to meet before it begins, says after each part what it did, and does all of the work
    each time."""
    places = [tmp_path / "one", tmp_path / "two"]
    meetings = [word for place in places for word in ("--meet", f"{place}=2")]
    each = subprocess.Popen(
        command("weir-bench", name, "--quick", *meetings, "--time-each"), stdout=subprocess.PIPE, text=True
    )
    others = []
    try:
        for index in (1, 0):
            assert each.poll() is None, "it did not wait"
            option = meetings[2 * index : 2 * index + 2]
            others.append(subprocess.Popen(command("weir-bench", name, "--quick", *option), stdout=subprocess.PIPE))
            while index and (not places[1].exists() or places[1].read_bytes()[:4] != (1).to_bytes(4, "little")):
                assert others[0].poll() is None, "it did not wait for the one that waits for all"
        found = lines_of(each.communicate()[0])
        assert [other.wait() for other in others] == [0, 0]
    finally:
        for program in (each, *others):
            program.kill()
    assert each.returncode == 0
    assert [(said["result"], UNDISTURBED in said) for said in found] == [("right", True)] * 3
    assert {said["operations"] for said in found} == {bench(name, "--quick")[1]["operations"]}


def test_work_is_timed_once_after_several_meetings(tmp_path):
    meetings = [word for place in ("one", "two") for word in ("--meet", f"{tmp_path / place}=2")]
    both = [subprocess.Popen(command("weir-bench", "gups", "--quick", *meetings), stdout=-1, text=True) for _ in "ab"]
    assert [len(lines_of(each.communicate()[0])) for each in both] == [1, 1]


def test_a_wrong_result_is_told_whenever_it_comes(tmp_path):
    """The second time what was spoilt is spoilt back, and the result is right again; the exit code is not."""
    meeting = ["gups", "--quick", "--meet", f"{tmp_path / 'place'}=2"]
    each = subprocess.Popen(command("weir-bench-spoilable", *meeting, "--time-each", "--break"), stdout=-1, text=True)
    assert bench(*meeting)[0].returncode == 0
    assert [said["result"] for said in lines_of(each.communicate()[0])] == ["wrong", "right"]
    assert each.returncode == 1


def test_only_a_simulated_memory_can_be_slower():
    done = start("weir-bench", "chase", "--quick", "--memory-divider", 16)
    assert (done.returncode, done.stdout) == (1, "")
    assert "memory_divider is not on the kernel's command line" in done.stderr


def test_a_command_comes_between_the_preparation_and_the_timed_part(tmp_path):
    """If it fails nothing is timed."""
    done = start("weir-bench", "gups", "--quick", "--before", f"echo prepared | tee {tmp_path / 'file'}")
    assert done.returncode == 0, done.stderr
    first, result = done.stdout.splitlines()
    assert first == "prepared" == (tmp_path / "file").read_text().strip()
    assert result.startswith("workload=gups ")
    failed = start("weir-bench", "gups", "--quick", "--before", "exit 3")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == "gups: --before: the command ends with exit code 3\n"


def test_a_command_comes_between_the_timed_part_and_the_result():
    done = start("weir-bench", "gups", "--quick", "--before", "echo prepared", "--after", "echo timed")
    assert done.returncode == 0, done.stderr
    *commands, result = done.stdout.splitlines()
    assert commands == ["prepared", "timed"] and result.startswith("workload=gups ")
    failed = start("weir-bench", "gups", "--quick", "--after", "exit 3")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == "gups: --after: the command ends with exit code 3\n"


def test_a_place_to_meet_must_be_a_file(tmp_path):
    done = start("weir-bench", "chase", "--quick", "--meet", f"{tmp_path}=2")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"weir-bench: --meet {tmp_path}: ")


# Counted by hand from the definitions: operations and bytes of a size.
@pytest.mark.parametrize(
    ("name", "size", "iterations", "operations", "moved"),
    [
        ("stream", 3 * 8 * 1000, 2, 1000 * 4 * 2, 1000 * 10 * 8 * 2),
        ("gups", 64 * 512, 3, 512 * 3, 512 * 16 * 3),
        ("gups-hot", 64 * 4096, 3, 4096 * 3, 4096 * 16 * 3),
        ("chase", 64 * 128, 5, 128 * 5, 128 * 64 * 5),
        ("stencil", 32, 4, 32 * 32 * 4, 32 * 32 * 16 * 4),
        ("spmv", 100, 2, 800 * 2, (800 * 16 + 100 * 8) * 2),
        ("hashjoin", 128, 2, 128 * 5 * 2, 128 * (4 * 8 + 4 * 12) * 2),
    ],
)
def test_operations_and_bytes(name, size, iterations, operations, moved):
    _, said = bench(name, "--size", size, "--iterations", iterations)
    assert (int(said["operations"]), int(said["bytes"])) == (operations, moved)


def limits(name):
    least, most = re.search(r"; (\d+) to (\d+)", start("weir-bench", name, "--help").stdout).groups()
    return int(least), int(most)


@pytest.mark.parametrize("name", NAMES)
def test_the_least_size_works_and_what_is_beyond_is_refused(name):
    least, most = limits(name)
    assert bench(name, "--size", least)[0].returncode == 0
    for size in (least - 1, most + 1):
        done = start("weir-bench", name, "--size", size)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--size {size} is not between {least} and {most}" in done.stderr


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--size"], "--size needs a number"),
        (["--size", ""], "is not a number"),
        (["--size", "12x"], "12x is not a number"),
        (["--size", "-4"], "-4 is not a number"),
        (["--size", "99999999999999999999"], "is not a number"),
        (["--size", "3000"], "3000 is not a power of two"),
        (["--hart", "1024"], "--hart 1024 is not between 0 and 1023"),
        (["--hart", "1023"], "--hart 1023 is no hart of this machine"),
        (["--before"], "--before needs a command"),
        (["--after"], "--after needs a command"),
        (["--meet"], "--meet is not FILE=N"),
        (["--memory-divider", "0"], "0 is not between 1 and 127"),
        (["--memory-divider", "128"], "128 is not between 1 and 127"),
        (["--meet", "file"], "file is not FILE=N"),
        (["--meet", "file=1"], "1 is not between 2 and 64"),
        (["--meet", "file=two"], "two is not a number"),
        (["--meet", "file=2"] * 9, "file=2 is one more than can be waited for"),
        (["--time-each"], "--time-each needs a --meet"),
        (["--iterations", "0"], "0 is not between 1 and"),
        (["--threads", "0"], "0 is not between 1 and 64"),
        (["--threads", "65"], "65 is not between 1 and 64"),
        (["--seconds", "1"], "--seconds is no option"),
        (["--frobnicate"], "--frobnicate is no option"),
        (["quick"], "quick is no option"),
    ],
)
def test_bad_options_are_refused(options, named):
    done = start("weir-bench", "gups", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gups: ")
    assert named in done.stderr


def test_without_a_workload_there_is_a_list():
    for arguments in ([], ["nonesuch"]):
        done = start("weir-bench", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert all(f"  {name} " in done.stderr for name in NAMES)
    done = start("weir-bench", "--help")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_chase_can_run_for_a_time():
    done, said = bench("chase", "--quick", "--seconds", 1)
    assert done.returncode == 0
    assert int(said["nanoseconds"]) >= 10**9


def rows(console):
    block = console.split("=== begin membench rows ===\n")[1].split("=== end membench rows ===")[0]
    return [json.loads(line) for line in block.splitlines()]


def test_membench_measures_each_kind_once_quickly():
    done = start("membench", "--quick", "--harts", 1)
    assert done.returncode == 0
    kinds = ["sequential_write", "sequential_read", "copy", "random_write", "random_read"]
    assert [row["test"] for row in rows(done.stdout)] == ["chase_latency", "chase_latency", *kinds]
    assert {row["harts"] for row in rows(done.stdout)} == {1}
    assert [row["footprint_bytes"] >> 10 for row in rows(done.stdout)] == [2, 8, 16, 16, 16, 32, 32]
    assert "0 result(s) with wrong data" in done.stdout


@pytest.mark.parametrize(
    "options", [["--harts"], ["--harts", "0"], ["--harts", "65"], ["--harts", "one"], ["--full"], ["quick"]]
)
def test_membench_refuses_bad_options(options):
    done = start("membench", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert options[-1] in done.stderr
