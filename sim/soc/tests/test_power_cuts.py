# SPDX-License-Identifier: Apache-2.0
"""What --cut finds in memory, in a run that goes on, and what --ram-image puts into a resumed machine."""

import json

import pytest
from conftest import ONE_HART

FILE, USAGE = 123, 2
UNUSED, WORKED_IN = 0xB000_0000, 0xA000_0000
BYTES = 4096 * 8


def cut(machine, folder, cycles, address, *options):
    """The run that the guest `host` ends, with cuts in those cycles after it was frozen, and what is told of them."""
    (folder / "cuts").mkdir()
    first = machine.summary("ended")["first_cycle"]
    words = [word for cycle in cycles for word in ("--cut", first + cycle)]
    where = ("--cells", f"{BYTES}@{address:#x}", "--cuts-to", folder / "cuts", "--summary", folder / "summary")
    run = ONE_HART.run("--resume", machine.frozen, *words, *where, *options)
    assert run.code == 7, run.messages
    return run, json.loads((folder / "summary").read_text())


def cells(folder, machine, cycle):
    return (folder / "cuts" / f"{machine.summary('ended')['first_cycle'] + cycle}.cells").read_bytes()


@pytest.fixture(scope="module")
def late(machine):
    """A cycle, counted from where the machine was frozen, in which its work is done."""
    told = machine.summary("ended")
    return told["cycles"] - told["first_cycle"] - 1000


def test_a_cut_changes_nothing_of_the_run(machine, tmp_path, late):
    run, summary = cut(machine, tmp_path, [late, 5000, 5000], WORKED_IN)
    assert run.console == machine.ended.console
    for what in ("cycles", "instructions", "dram"):
        assert summary[what] == machine.summary("ended")[what], what
    first = summary["first_cycle"]
    assert [row["cycle"] - first for row in summary["cuts"]] == [5000, late]
    assert sorted(path.name for path in (tmp_path / "cuts").iterdir()) == sorted(
        f"{first + cycle}.cells" for cycle in (5000, late)
    )


def test_a_cut_has_the_cells_of_its_cycle(machine, tmp_path, late):
    """The work writes one word of each 8192 bytes, and comes to each several times."""
    cut(machine, tmp_path, [1000, 100_000, late], WORKED_IN)
    early, middle, end = (cells(tmp_path, machine, cycle) for cycle in (1000, 100_000, late))
    assert len(early) == BYTES
    assert len({early, middle, end}) > 1
    (tmp_path / "again").mkdir()
    cut(machine, tmp_path / "again", [100_000], WORKED_IN)
    assert cells(tmp_path / "again", machine, 100_000) == middle


def test_cuts_that_have_gone_by_are_left_out(machine, tmp_path):
    _, summary = cut(machine, tmp_path, [-1, 0, 1], WORKED_IN)
    assert [row["cycle"] - summary["first_cycle"] for row in summary["cuts"]] == [1]


def test_the_console_is_counted_until_the_cut(machine, tmp_path, late):
    run, summary = cut(machine, tmp_path, [1, late, late + 999], UNUSED)
    begin, before, end = (row["console_bytes"] for row in summary["cuts"])
    assert begin == 0
    assert 0 < before <= end <= len(run.console) + run.console.count("\n")


def test_an_image_is_put_into_a_resumed_machine(machine, tmp_path, late):
    image = bytes(number * 7 % 251 for number in range(BYTES))
    (tmp_path / "image").write_bytes(image)
    run, _ = cut(machine, tmp_path, [1, late], UNUSED, "--ram-image", f"{tmp_path / 'image'}@{UNUSED:#x}")
    assert run.console == machine.ended.console
    assert cells(tmp_path, machine, 1) == cells(tmp_path, machine, late) == image


def test_the_guest_sees_the_image(machine, tmp_path):
    """It sums what it finds where it works: with other words there the sum is another."""
    (tmp_path / "image").write_bytes(b"\x55" * (32 << 20))
    run = ONE_HART.run("--resume", machine.frozen, "--ram-image", f"{tmp_path / 'image'}@{WORKED_IN:#x}")
    assert run.code == 7
    assert run.console != machine.ended.console


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--cut", "5"], USAGE, "--cut, --cells and --cuts-to need each other"),
        (["--cells", "64@0x80000000", "--cuts-to", "."], USAGE, "--cut, --cells and --cuts-to need each other"),
        (["--cut", "5", "--cells", "64", "--cuts-to", "."], USAGE, "--cells: '64' is not BYTES@ADDR"),
        (["--cut", "5", "--cells", "0@0x80000000", "--cuts-to", "."], USAGE, "it must have at least 1"),
        (["--cut", "soon", "--cells", "64@0", "--cuts-to", "."], USAGE, "--cut: 'soon' is not a number"),
        (["--cut", "5", "--cells", "64@0x7fffffff", "--cuts-to", "."], FILE, "--cells: 64 bytes at 0x7fffffff do not"),
        (["--cut", "5", "--cells", "64@0x80000000", "--cuts-to", "/nowhere"], FILE, "--cuts-to: /nowhere is no folder"),
    ],
)
def test_bad_options_are_refused(options, code, message):
    run = ONE_HART.run(*options)
    assert (run.code, run.console) == (code, "")
    assert message in run.messages
