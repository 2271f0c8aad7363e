# SPDX-License-Identifier: Apache-2.0
"""The simulator's files without a simulation: damaged ones are refused, and unfinished ones never have their name."""

import ctypes
import random
import resource
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import snapshot_file

SOC = Path(__file__).resolve().parents[1]
SOURCES = ("snapshot.cpp", "whole_file.cpp", "waveform.cpp")
HEADER = 48

# What a call throws as text, nothing if it throws nothing; anything but std::runtime_error shows as such.
HARNESS = """
#include <cstring>
#include <stdexcept>
#include "snapshot.hpp"
#include "waveform.hpp"
#include "whole_file.hpp"
namespace {
template <typename Call>
void told(char* text, Call call) {
  try {
    call();
    std::strcpy(text, "");
  } catch (const std::runtime_error& error) {
    std::strncpy(text, error.what(), 500);
  } catch (const std::exception& error) {
    std::strcpy(text, "unexpected: ");
    std::strncat(text, error.what(), 400);
  }
}
}
extern "C" void read_it(const char* file, char* text) { told(text, [&] { weir::soc::read_snapshot(file); }); }
extern "C" void write_it(const char* file, const unsigned char* state, unsigned long length, char* text) {
  told(text, [&] { weir::soc::write_snapshot(file, {state, state + length}); });
}
extern "C" void whole(const char* file, unsigned long length, char* text) {
  const std::string bytes(length, 'x');
  told(text, [&] { weir::soc::write_whole("--summary:", file, bytes.data(), bytes.size()); });
}
extern "C" void waveform(const char* file, char* text) { told(text, [&] { weir::soc::check_waveform(file); }); }
"""


class Library:
    """The simulator's sources, compiled for Python; `change` takes the text of snapshot.cpp and gives another."""

    def __init__(self, folder, change=lambda text: text):
        sources = [folder / name for name in SOURCES]
        for source in sources:
            text = (SOC / source.name).read_text()
            source.write_text(change(text) if source.name == "snapshot.cpp" else text)
        (folder / "harness.cpp").write_text(HARNESS)
        library = folder / "files.so"
        command = ["clang++-16", "-std=gnu++17", "-O1", "-shared", "-fPIC", f"-I{SOC}", "-o", library]
        subprocess.run([*command, folder / "harness.cpp", *sources, "-llz4"], check=True)
        self.path = library
        self._calls = ctypes.CDLL(str(library))

    def __call__(self, name, file, *values):
        """What the call throws."""
        text = ctypes.create_string_buffer(600)
        getattr(self._calls, name)(str(file).encode(), *values, text)
        return text.value.decode(errors="replace")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return Library(tmp_path_factory.mktemp("files"))


def small_snapshot(library, file):
    """A snapshot of a state that is partly noise, partly not."""
    state = random.Random(1).randbytes(150) + bytes(1000) + b"end"
    assert library("write_it", file, state, ctypes.c_ulong(len(state))) == ""
    assert library("read_it", file) == ""
    assert bytes(snapshot_file.load(file).state) == state
    return file.read_bytes()


def not_refused(library, file, damaged):
    """Damaged snapshots, by name, that are not refused with a sentence about the file."""
    wrong = {}
    for name, data in damaged:
        file.write_bytes(data)
        answer = library("read_it", file)
        if not answer.startswith(f"snapshot {file} is "):
            wrong[name] = answer
    return wrong


def test_each_byte_of_a_snapshot_counts(library, tmp_path):
    file = tmp_path / "machine.snapshot"
    whole = small_snapshot(library, file)
    damaged = (
        (f"byte {at} ^ {bits:#x}", whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :])
        for at in range(len(whole))
        for bits in (1, 0x80, 0xFF)
    )
    assert not_refused(library, file, damaged) == {}


def test_a_snapshot_that_ends_early_anywhere_is_refused(library, tmp_path):
    file = tmp_path / "machine.snapshot"
    whole = small_snapshot(library, file)
    assert not_refused(library, file, ((f"{end} bytes", whole[:end]) for end in range(len(whole)))) == {}


def wrong_lengths(whole):
    """Snapshots whose checksum is right and whose lengths are not: of the state, of what is packed, of its block."""
    build, length = struct.unpack_from("<QQ", whole, 16)
    packed = whole[HEADER:]
    (block,) = struct.unpack_from("<I", packed)
    for wrong in (0, 1, length - 1, length + 1, 1 << 20, 1 << 32, 1 << 48, 1 << 63, (1 << 64) - 1):
        yield f"length {wrong}", snapshot_file.seal(build, wrong, packed)
    for wrong in (0, 1, len(packed) - 1, len(packed) + 1, 1 << 32, (1 << 64) - 48, (1 << 64) - 1):
        yield f"packed {wrong}", snapshot_file.seal(build, length, packed, said=wrong)
    for wrong in (0, 1, block - 1, block + 1, 1 << 31, (1 << 32) - 1):
        yield f"block {wrong}", snapshot_file.seal(build, length, struct.pack("<I", wrong) + packed[4:])
    yield "more", snapshot_file.seal(build, length, packed + b"more")


def test_lengths_are_checked_against_what_there_is(library, tmp_path):
    file = tmp_path / "machine.snapshot"
    assert not_refused(library, file, wrong_lengths(small_snapshot(library, file))) == {}


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        ('if (length / kMostExpansion > size) refuse(file, "is damaged");', "", "length 9223372036854775808"),
        ('if (from != size) refuse(file, "is damaged");', "", "more"),
    ],
)
def test_a_length_that_is_not_checked_is_found(right, wrong, found, tmp_path):
    def change(text):
        assert right in text
        return text.replace(right, wrong)

    broken, file = Library(tmp_path, change), tmp_path / "machine.snapshot"
    assert found in not_refused(broken, file, wrong_lengths(small_snapshot(broken, file)))


def test_a_file_that_cannot_be_written_whole_does_not_get_its_name(library, tmp_path):
    """In a process whose files may have 1000 bytes."""
    old = tmp_path / "old"
    old.write_text("old")
    program = f"""
import ctypes, sys
text = ctypes.create_string_buffer(600)
ctypes.CDLL({str(library.path)!r}).whole(sys.argv[1].encode(), ctypes.c_ulong(int(sys.argv[2])), text)
print(text.value.decode(), end="")
"""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    def write(length):
        command = [sys.executable, "-c", program, str(old), str(length)]
        return subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=limit).stdout

    assert write(1001).startswith(f"--summary: {old} cannot be written: File too large")
    assert (old.read_text(), list(tmp_path.iterdir())) == ("old", [old])
    assert write(1000) == ""
    assert (old.read_text(), list(tmp_path.iterdir())) == ("x" * 1000, [old])


def test_what_is_no_regular_file_stays_what_it_is(library, tmp_path):
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    answer = library("whole", link, ctypes.c_ulong(10))
    assert answer == f"--summary: {link} cannot be written: No space left on device"
    assert link.is_symlink() and Path("/dev/full").is_char_device()


def block(kind, content):
    return bytes([kind]) + struct.pack(">Q", 8 + len(content)) + content


def test_a_waveform_that_ends_early_anywhere_is_found(library, tmp_path):
    """Blocks of an FST file: header, values, geometry, hierarchy."""
    file = tmp_path / "wave.fst"
    whole = block(0, bytes(321)) + block(8, bytes(50)) + block(3, bytes(20)) + block(4, bytes(30))
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert library("waveform", file) == f"--trace: cannot write all of {file}", end
    file.write_bytes(whole)
    assert library("waveform", file) == ""
