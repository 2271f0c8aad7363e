# SPDX-License-Identifier: Apache-2.0
"""What the lab is asked on its command line: offsets of traces, plusargs, numbers."""

import pytest
from lab_program import LINE, PAPER, run

MOST = 1 << 63


@pytest.fixture
def line(tmp_path):
    """A trace of one line of memory, again and again."""
    path = tmp_path / "line"
    path.write_text(f"10 {LINE}\n")
    return path


def of_cores(system, cores):
    return system(cores__count=cores, memory__model="ideal", memory__cycles=20)


@pytest.mark.parametrize(
    ("traces", "lines"),
    [(["{}@64"], 2), (["{}@0"], 1), (["{}@0"] * 2, 1), (["{}@64"] * 2, 1), (["{}@64", "{}@128"], 2)],
)
def test_one_trace_for_all_is_moved_once_more_for_each_core(system, line, traces, lines):
    """Core n of two has n offsets of one trace, and that of its own of two: cores read as many lines as are apart."""
    words = ",".join(f"simple_o3:{each.format(line)}" for each in traces)
    code, result, error = run("--system", of_cores(system, 2), "--traces", words, "--instructions", 10_000)
    assert code == 0, error
    assert result["reads"] == lines


@pytest.mark.parametrize(("offset", "code"), [(1 << 36, 0), (1 << 37, 2)])
def test_the_trace_of_one_core_is_moved(system, line, offset, code):
    path = system(cores__count=1)
    ended, _, error = run("--system", path, "--traces", f"simple_o3:{line}@{offset}", "--instructions", 1000)
    assert ended == code
    if code != 0:
        assert f"core 0: {line}: an access is to address 64 + {offset}: must be within the {1 << 37} bytes" in error


def test_an_address_outside_memory_has_its_core_and_its_trace(system, line, tmp_path):
    far = tmp_path / "far"
    far.write_text(f"10 {(1 << 64) - LINE}\n")
    words = f"simple_o3:{line},simple_o3:{far}@128"
    code, _, error = run("--system", system(cores__count=2), "--traces", words, "--instructions", 1000)
    assert code == 2
    assert f"core 1: {far}: an access is to address {(1 << 64) - LINE} + 128: must be within" in error


def test_a_prefetch_outside_memory_has_its_core(system, tmp_path):
    """Of memory that begins within a page. The seed is one that does not start with the last lines of the trace."""
    prefetcher = {"pages": 16, "degree": 1, "distance": 1}
    path, base = tmp_path / "down", 36 * LINE
    path.write_text("".join(f"100 {number * LINE}\n" for number in range(60, 34, -2)))
    words = ["--traces", f"simple_o3:{path}", "--instructions", 10_000, "--seed", 2]
    code, _, error = run("--system", system(cores__count=1, memory__base=base, caches__prefetcher=prefetcher), *words)
    assert code == 2
    assert f"core 0 has an access to address {34 * LINE}: must be within the {1 << 37} bytes of memory from" in error


@pytest.mark.parametrize("offset", [" 64", "64 ", "+64", "-64", "", "0x", "6 4", str(MOST + 1), str(1 << 64)])
def test_an_offset_that_is_none_is_refused(system, line, offset):
    word = f"simple_o3:{line}@{offset}"
    code, _, error = run("--system", of_cores(system, 1), "--traces", word, "--instructions", 100)
    assert code == 2
    assert f'option --traces: "{word}" must be FORMAT:PATH[@OFFSET], OFFSET at most {MOST}' in error


def test_an_offset_is_refused_that_the_last_core_cannot_have(system, line):
    words = "--system", of_cores(system, 3), "--instructions", 100, "--traces"
    assert run(*words, f"simple_o3:{line}@{MOST // 2}")[0] == 0
    code, _, error = run(*words, f"simple_o3:{line}@{MOST // 2 + 1}")
    assert code == 2
    assert f"OFFSET must be at most {MOST // 2}, as core 2 is moved by so many times it" in error


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["+bogus"], "option +bogus is unknown"),
        (["+dram_feature=refresh=none"], "option +dram_feature=refresh=none is unknown"),
        (["+dram2_features=refresh=none"], "option +dram2_features=refresh=none is unknown"),
        (["--accesses", 7], "option --accesses is there twice"),
        (["--warm-up", " 1"], "option --warm-up:  1 is not a number below 2^64"),
    ],
)
def test_words_that_would_be_passed_over_are_refused(updates, words, complaint):
    code, _, error = run("--system", PAPER, "--traces", f"simple_o3:{updates}", "--accesses", 100, *words)
    assert code == 2
    assert complaint in error


def test_both_channels_have_plusargs(updates, tmp_path):
    models = [f"+{model}_statistics={tmp_path / model}" for model in ("dram", "dram1")]
    code, _, error = run("--system", PAPER, "--traces", f"simple_o3:{updates}", "--accesses", 100, *models)
    assert code == 0, error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dram", "dram1"]


def test_a_leading_zero_is_decimal(updates):
    code, result, error = run("--system", PAPER, "--traces", f"simple_o3:{updates}", "--accesses", "01000")
    assert code == 0, error
    assert 1000 <= result["reads"] + result["writes"] < 1010
