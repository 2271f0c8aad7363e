# SPDX-License-Identifier: Apache-2.0
"""A machine that was saved and resumed goes on exactly as one that ran straight on; what is none is refused."""

import json
import struct

import pytest
import snapshot_file
from conftest import IN_BIOS, ONE_HART, SCRIPT

LIMIT, FILE, USAGE, NOT_SAVED, TEXT_SEEN = 124, 123, 2, 119, 121


def test_the_resumed_machine_goes_on_as_the_straight_one(machine):
    assert machine.straight.code == 7, machine.straight.console + machine.straight.messages
    codes = [run.code for run in (machine.begun, machine.booted, machine.ended)]
    assert codes == [0, 0, 7], machine.begun.messages + machine.booted.messages + machine.ended.messages
    assert "guest goes on" not in machine.booted.console
    assert "script has 'X'" in machine.ended.console
    pieces = (machine.begun, machine.booted, machine.ended)
    assert "".join(piece.console for piece in pieces) == machine.straight.console
    straight, ended = machine.summary("straight"), machine.summary("ended")
    for what in ("cycles", "instructions", "exit_code", "dram", "violations"):
        assert ended[what] == straight[what], what
    assert machine.summary("begun")["cycles"] == machine.summary("booted")["first_cycle"] == IN_BIOS
    assert ended["first_cycle"] == machine.summary("booted")["cycles"] > IN_BIOS


def test_logs_go_on_with_the_resumed_machine(machine):
    first = machine.summary("ended")["first_cycle"]
    straight = (machine.folder / "straight.axi").read_text().splitlines()
    ended = (machine.folder / "ended.axi").read_text().splitlines()
    assert len(ended) > 1000
    assert ended[1:] == [line for line in straight[1:] if int(line.split()[0]) >= first]
    straight, ended = ((machine.folder / f"{name}.commands").read_bytes() for name in ("straight", "ended"))
    assert len(ended) > 16_000
    assert ended[:80] == straight[:80]
    assert straight.endswith(ended[80:])
    (clock,) = struct.unpack("<Q", ended[80:88])
    assert first <= clock // 4 < first + 10_000


def saved_later(machine, snapshot, target):
    """The state of the machine of `snapshot` twenty thousand cycles behind the frozen one."""
    later = machine.summary("ended")["first_cycle"] + 20_000
    run = ONE_HART.run("--resume", snapshot, "--save", target, "--save-at", later)
    assert run.code == 0, run.messages
    return snapshot_file.load(target).state


def test_the_whole_state_is_equal_later(machine, tmp_path):
    """From two snapshots, one long before the other: registers, memory, history, counts, console."""
    states = [saved_later(machine, file, tmp_path / file.name) for file in (machine.in_bios, machine.frozen)]
    assert len(states[0]) > 1_000_000
    assert states[0] == states[1]


@pytest.mark.parametrize("piece", ["model", "memory", "history", "script"])
def test_a_snapshot_without_a_piece_shows(piece, machine, tmp_path):
    """The comparison above is able to fail: each of these pieces is taken out of the snapshot."""
    snapshot = snapshot_file.load(machine.frozen)
    state = snapshot.state
    dram = state.index(b"DRAM model 'dram'")
    start, length = {
        "model": (dram // 8, dram // 2),
        "memory": (state.rindex(b"guest ends") - 4096, 4096),
        "history": (dram + 400, 16 * 500),
        "script": (state.index(SCRIPT.encode()) + 1, 1),  # the first byte is on offer already
    }[piece]
    assert any(state[start : start + length])
    state[start : start + length] = bytes(length)
    path = tmp_path / "less.snapshot"
    snapshot_file.store(path, snapshot)
    # what does not end when the whole machine does differs from it
    longer = machine.summary("ended")["cycles"] + 100_000
    run = ONE_HART.run("--resume", path, "--summary", tmp_path / "less.json", "--cycles", longer)
    assert (
        run.code != machine.ended.code
        or run.console != machine.ended.console
        or (json.loads((tmp_path / "less.json").read_text())["dram"] != machine.summary("ended")["dram"])
    )


def test_remade_as_it_was_it_goes_on(machine, tmp_path):
    """The tests' own way with the file is right."""
    path = tmp_path / "same.snapshot"
    snapshot_file.store(path, snapshot_file.load(machine.frozen))
    assert ONE_HART.run("--resume", path).console == machine.ended.console


def test_another_script_is_handed_over_at_resume(machine, tmp_path):
    script = tmp_path / "script"
    script.write_text("AB3")
    run = ONE_HART.run("--resume", machine.frozen, "--script", script)
    assert run.code == 3, run.console + run.messages
    assert run.console.splitlines() == ["guest goes on", "script has 'A'", "script has 'B'", "guest ends"]


def test_what_was_typed_ahead_is_saved(tmp_path):
    """The BIOS looks for `Q` long after it was typed, and then takes a command."""
    path = tmp_path / "typed.snapshot"
    assert ONE_HART.run("--save", path, "--save-at", IN_BIOS, stdin="Q\nmem_list\n").code == 0
    run = ONE_HART.run("--resume", path, "--fail-on", "WEIR ")
    assert run.code == TEXT_SEEN, run.console
    assert "Cancelled" in run.console
    assert "WEIR      0x20000000 0x10000" in run.console


def test_a_waveform_begins_with_the_resumed_machine(machine, tmp_path):
    wave = tmp_path / "wave.fst"
    first = machine.summary("ended")["first_cycle"]
    run = ONE_HART.run("--resume", machine.frozen, "--trace", wave, "--cycles", first + 100)
    assert run.code == LIMIT, run.messages
    kind, _length, start, stop = struct.unpack(">BQQQ", wave.read_bytes()[:25])
    assert (kind, start // 5000, stop // 5000) == (0, first, first + 99)


def damaged(kind, whole):
    if kind == "another build":
        return whole[:16] + struct.pack("<Q", 0x123) + whole[24:]
    if kind == "another version":
        return whole[:8] + struct.pack("<I", 9) + whole[12:]
    if kind == "one bit":
        return whole[:-1000] + bytes([whole[-1000] ^ 4]) + whole[-999:]
    return {"half": whole[: len(whole) // 2], "header": whole[:20], "none": b"", "more": whole + b"x"}[kind]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("another build", "is of build 0000000000000123; this program is build "),
        ("another version", "is of version 9; this program reads version 2"),
        ("one bit", "is damaged"),
        ("half", "is cut short: "),
        ("more", "is damaged"),
        ("header", "is no snapshot"),
        ("none", "is no snapshot"),
    ],
)
def test_what_is_no_snapshot_is_refused(kind, message, machine, tmp_path):
    path = tmp_path / "bad.snapshot"
    path.write_bytes(damaged(kind, machine.frozen.read_bytes()))
    run = ONE_HART.run("--resume", path)
    assert (run.code, run.console) == (FILE, "")
    assert f"snapshot {path} {message}" in run.messages


def test_a_guest_that_ends_first_leaves_no_snapshot(machine, tmp_path):
    path = tmp_path / "late.snapshot"
    run = ONE_HART.run("--resume", machine.frozen, "--save", path)
    assert run.code == NOT_SAVED
    assert "the guest ended with exit code 7 before the machine was saved" in run.messages
    assert list(tmp_path.iterdir()) == []


def test_a_save_that_fails_leaves_the_old_file(machine, tmp_path):
    path = tmp_path / "old.snapshot"
    path.write_bytes(b"old")
    (tmp_path / "old.snapshot.unfinished").mkdir()
    soon = machine.summary("ended")["first_cycle"] + 100
    run = ONE_HART.run("--resume", machine.frozen, "--save", path, "--save-at", soon)
    assert run.code == FILE
    assert f"snapshot {path} cannot be written" in run.messages
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--save-at", "5"], USAGE, "--save-at needs --save"),
        (["--save", "x", "--save-at", "0"], USAGE, "--save-at 0 is not after cycle 0, with which the run begins"),
        (["--save", ""], USAGE, "--save: the text is empty"),
        (["--save", "/nowhere/x"], FILE, "snapshot /nowhere/x cannot be written"),
        (["--resume", "/nowhere/x"], FILE, "snapshot /nowhere/x cannot be read"),
        (["--resume", "x", "--rom", "y"], USAGE, "--rom and --resume: the snapshot has memory and program"),
        (["--resume", "x", "--boot", "0"], USAGE, "--boot and --resume"),
        (["--script", "/nowhere/x"], FILE, "--script: /nowhere/x is no file"),
        (["--save", "x", "--summary", "./x"], USAGE, "--summary ./x: is the file of --save"),
        (["--axi-log", "x", "--command-trace", "x"], USAGE, "--command-trace x: is the file of --axi-log"),
        (["--resume", "x", "--save", "x"], USAGE, "--save x: is the file of --resume"),
        (["--rom", "x", "--summary", "x"], USAGE, "--summary x: is the file of --rom"),
    ],
)
def test_bad_options_are_refused(options, code, message):
    run = ONE_HART.run(*options)
    assert (run.code, run.console) == (code, "")
    assert message in run.messages
