# SPDX-License-Identifier: Apache-2.0
"""Traces of other simulators, and what is wrong with one."""

import os
import threading

import pytest
import zstandard
from lab_program import LINE, run

TEXTS = {
    "simple_o3": "3 {0}\n3 {1} {1}\n",
    "load_store": "# two lines\nLD 0x{0:x}\n\nST {1}\n",
    "usimm": "3 R 0x{0:x} 0x400\n3 W 0x{1:x}\n",
}


def measured(system, trace):
    path = system(cores__count=1, memory__model="ideal", memory__cycles=20)
    code, result, error = run("--system", path, "--traces", trace, "--instructions", 100)
    assert code == 0, error
    return result


@pytest.mark.parametrize("name", TEXTS)
def test_each_format_asks_for_its_lines_once(system, tmp_path, name):
    path = tmp_path / "trace"
    path.write_text(TEXTS[name].format(5 * LINE, 9 * LINE))
    result = measured(system, f"{name}:{path}")
    assert (result["reads"], result["writes"]) == (2, 0)


def test_a_compressed_trace_is_the_same(system, tmp_path):
    plain, compressed = tmp_path / "trace", tmp_path / "trace.zst"
    plain.write_text("".join(f"7 {number * LINE}\n" for number in range(5000)))
    compressed.write_bytes(zstandard.compress(plain.read_bytes()))
    results = [measured(system, f"simple_o3:{path}") for path in (plain, compressed)]
    for result in results:
        del result["cpu_seconds"]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("simple_o3", "3 64\n3\n", ":2: has 1 words: must have 2 or 3, BUBBLES LOAD [STORE]"),
        (
            "simple_o3",
            "x 64\n",
            ':1: the count of instructions is "x": must be a number, decimal or hexadecimal after 0x',
        ),
        ("simple_o3", "4294967296 64\n", "must be a number, decimal or hexadecimal after 0x, of at most 4294967295"),
        ("load_store", "LD 0x40\nXX 64\n", ':2: begins with "XX": must begin with LD or ST'),
        ("usimm", "3 R 0x40\n", ':1: is "3 R 0x40": must be INSTRUCTIONS R ADDRESS PC or INSTRUCTIONS W ADDRESS'),
        ("usimm", "3 R 0x40\0 0x0\n", r':1: the address is "0x40\x00": must be a number'),
        ("usimm", "3 W " + "9" * 70 + "\n", f'the address is "{"9" * 60}...": must be a number'),
        ("usimm", "", ": holds no access"),
        ("usimm", "3 R 0x40 0\n" + "3" * 5000, ":2: is more than 4096 bytes long"),
        ("weir", "3 64\n", 'its first bytes are not "weir-trace-1"'),
        ("gem5", "3 64\n", 'trace format "gem5": must be weir, simple_o3, load_store or usimm'),
    ],
)
def test_what_is_wrong_is_told(system, tmp_path, name, text, complaint):
    path = tmp_path / "trace"
    path.write_text(text)
    one = system(cores__count=1, memory__model="ideal", memory__cycles=20)
    code, _, error = run("--system", one, "--traces", f"{name}:{path}", "--instructions", 1000)
    assert code == 2
    assert complaint in error
    assert name == "gem5" or str(path) in error


def test_a_cut_frame_is_told(system, tmp_path):
    path = tmp_path / "trace.zst"
    path.write_bytes(zstandard.compress(b"7 64\n" * 100_000)[:-8])
    one = system(cores__count=1, memory__model="ideal", memory__cycles=20)
    code, _, error = run("--system", one, "--traces", f"simple_o3:{path}", "--instructions", 10_000_000)
    assert code == 2
    assert "ends within a frame of zstd" in error


def test_a_pipe_is_refused(system, tmp_path):
    """A trace is read again from its begin."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text("7 64\n" * 1000))
    writer.start()
    one = system(cores__count=1, memory__model="ideal", memory__cycles=20)
    code, _, error = run("--system", one, "--traces", f"simple_o3:{path}", "--instructions", 1000)
    writer.join()
    assert code == 2
    assert f"{path}: cannot be read from its begin again" in error


def test_as_many_traces_as_cores(system, updates):
    code, _, error = run("--system", system(), "--traces", ",".join([f"simple_o3:{updates}"] * 3), "--accesses", 10)
    assert code == 2
    assert "names 3 traces: must be 1 or 8" in error
