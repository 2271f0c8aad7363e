# SPDX-License-Identifier: Apache-2.0
"""The simulator's options: what they do, and how bad ones are refused."""

import struct

import pytest
from conftest import FIRMWARE_ADDRESS, FOUR_HARTS, ONE_HART

EXIT_WORD = 0x9000_0000
LIMIT, VIOLATION, FILE, USAGE = 124, 125, 123, 2


@pytest.mark.parametrize("code", [0, 7, 0x1234])
def test_ram_image_and_exit_code(tmp_path, code):
    """The guest ends with a word of a second image; the low eight bits become the exit code."""
    image = tmp_path / "code.bin"
    image.write_bytes(struct.pack("<I", code))
    run = ONE_HART.boot("exit_word", "--ram-image", f"{image}@{EXIT_WORD:#x}")
    assert run.code == code & 0xFF, run.console + run.messages


def test_last_byte_of_memory_can_be_preloaded(tmp_path):
    image = tmp_path / "image.bin"
    image.write_bytes(b"x" * 64)
    assert ONE_HART.run("--ram-image", f"{image}@0xffffffc0", "--cycles", "0").code == LIMIT


def test_cycle_limit():
    run = ONE_HART.run("--cycles", "20000", "--progress", "60")
    assert run.code == LIMIT
    assert "0.02 M cycles" in run.messages
    assert "cycle limit" in run.messages


def test_console_input():
    """`Q` makes the BIOS give up booting; its prompt then takes a command."""
    run = ONE_HART.run("--cycles", 800_000, stdin="Q\nmem_list\n")
    assert run.code == LIMIT
    assert "Cancelled" in run.console
    assert "MAIN_RAM  0x80000000 0x80000000" in run.console
    assert "WEIR      0x20000000 0x10000" in run.console


def test_another_rom(tmp_path):
    """The BIOS is read when the simulator starts: a ROM that jumps to itself writes nothing."""
    rom = tmp_path / "loop.bin"
    rom.write_bytes(struct.pack("<I", 0x0000_006F))
    run = ONE_HART.run("--rom", rom, "--cycles", "60000")
    assert (run.code, run.console) == (LIMIT, "")


def test_waveform_has_only_the_wanted_cycles(tmp_path):
    short, long = tmp_path / "short.fst", tmp_path / "long.fst"
    for trace, stop in ((short, 1010), (long, 1400)):
        run = ONE_HART.run("--cycles", "3000", "--trace", trace, "--trace-start", "1000", "--trace-stop", stop)
        assert run.code == LIMIT, run.messages
    # An FST file begins with a header block: type 0, eight bytes of length, then first and last time.
    for trace, stop in ((short, 1010), (long, 1400)):
        kind, _length, first, last = struct.unpack(">BQQQ", trace.read_bytes()[:25])
        assert (kind, first // 5000, last // 5000) == (0, 1000, stop - 1)
    assert long.stat().st_size > short.stat().st_size


def test_axi_log_and_command_trace_are_written_on_request_only(tmp_path):
    log, commands = tmp_path / "axi.log", tmp_path / "commands.bin"
    (tmp_path / "code.bin").write_bytes(bytes(4))
    code = f"{tmp_path / 'code.bin'}@{EXIT_WORD:#x}"
    run = ONE_HART.boot("exit_word", "--ram-image", code, "--axi-log", log, "--command-trace", commands)
    assert run.code == 0, run.messages
    lines = log.read_text().splitlines()
    assert lines[0] == "# cycle channel id address beats"
    assert any(f"0x{FIRMWARE_ADDRESS:08x}" in line for line in lines)
    assert commands.read_bytes()[:8] == b"WEIRDRAM"
    ONE_HART.run("--cycles", "100")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["axi.log", "code.bin", "commands.bin"]


def test_help():
    run = FOUR_HARTS.run("--help")
    assert run.code == 0
    for option in ("--rom", "--ram-image", "--boot", "--cycles", "--trace", "--trace-start", "--trace-stop"):
        assert option in run.console


@pytest.mark.parametrize(
    ("soc", "options", "code", "message"),
    [
        (FOUR_HARTS, ["--cycles", "many"], USAGE, "--cycles: 'many' is not a number"),
        (FOUR_HARTS, ["--cycles", "-1"], USAGE, "--cycles: '-1' is not a number"),
        (FOUR_HARTS, ["--cycles"], USAGE, "--cycles needs a value"),
        (FOUR_HARTS, ["--progress", "soon"], USAGE, "--progress: 'soon'"),
        (FOUR_HARTS, ["--speed", "1"], USAGE, "unknown option --speed"),
        (FOUR_HARTS, ["image.bin"], USAGE, "'image.bin' is not an option"),
        (FOUR_HARTS, ["--ram-image", "image.bin"], USAGE, "'image.bin' is not FILE@ADDR"),
        (FOUR_HARTS, ["--ram-image", "image.bin@here"], USAGE, "--ram-image: 'here' is not a number"),
        (FOUR_HARTS, ["--boot", "0x100000000"], USAGE, "--boot: the address must be below 4 GiB"),
        (FOUR_HARTS, ["--trace", "x.fst"], USAGE, "makes one that can"),
        (ONE_HART, ["--trace-start", "5"], USAGE, "--trace-start and --trace-stop need --trace"),
        (ONE_HART, ["--trace", "x", "--trace-start", "5", "--trace-stop", "5"], USAGE, "is not after --trace-start 5"),
        (ONE_HART, ["--trace", "/nowhere/x.fst"], FILE, "--trace: cannot write /nowhere/x.fst"),
        (FOUR_HARTS, ["--rom", "/dev/null"], FILE, "--rom: /dev/null is no file"),
        (FOUR_HARTS, ["--rom", "/nowhere/bios.bin"], FILE, "--rom: /nowhere/bios.bin is no file"),
        (FOUR_HARTS, ["--ram-image", "/nowhere/x@0x80000000"], FILE, "--ram-image: /nowhere/x is no file"),
        (FOUR_HARTS, ["--axi-log", "/nowhere/x"], FILE, "--axi-log: /nowhere/x"),
        (FOUR_HARTS, ["--command-trace", "/nowhere/x"], FILE, "/nowhere/x"),
    ],
)
def test_bad_options_are_refused(soc, options, code, message):
    run = soc.run(*options)
    assert run.code == code
    assert message in run.messages
    assert run.console == ""


@pytest.mark.parametrize("address", [0x7FFF_FFFF, 0xFFFF_FFC1, 0x1_0000_0000])
def test_images_outside_memory_are_refused(address, tmp_path):
    image = tmp_path / "image.bin"
    image.write_bytes(b"x" * 64)
    run = FOUR_HARTS.run("--ram-image", f"{image}@{address:#x}")
    assert run.code == FILE
    assert f"64 bytes at {address:#x} do not lie in DRAM, 0x80000000 to 0xffffffff" in run.messages


@pytest.mark.parametrize(
    ("option", "size", "message"),
    [
        ("--rom", 0, "is empty"),
        ("--rom", 0x10001, "has 65537 bytes: must be at most 65536"),
        ("--ram-image", 0, "is empty"),
    ],
)
def test_files_of_a_wrong_size_are_refused(option, size, message, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(bytes(size))
    run = ONE_HART.run(option, f"{file}@0x80000000" if option == "--ram-image" else file, "--cycles", "10")
    assert (run.code, run.console) == (FILE, "")
    assert f"{option}: {file} {message}" in run.messages


@pytest.mark.parametrize("option", ["--summary", "--axi-log", "--command-trace"])
def test_a_full_disk_is_told(option):
    """/dev/full takes nothing."""
    run = ONE_HART.run(option, "/dev/full", "--cycles", "60000")
    assert run.code == FILE, run.messages
    assert "/dev/full" in run.messages
