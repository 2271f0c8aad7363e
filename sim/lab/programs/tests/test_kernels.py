# SPDX-License-Identifier: Apache-2.0
"""The kernels, small and on this machine: each finds its own result right, and a broken one finds it wrong."""

import os
import subprocess
from pathlib import Path

import programs
import pytest

KERNELS = Path(__file__).resolve().parents[1] / "kernels"

SMALL = {
    "bfs": ("10", "3"),
    "canneal": ("10", "10"),
    "cg": ("1000", "20"),
    "dictionary": ("12", "5"),
    "fft": ("10", "2"),
    "gups": ("12", "2"),
    "key_value": ("10", "3"),
    "linpack": ("100", "2"),
    "mg": ("4", "4"),
    "mst": ("5000", "2"),
    "set_cover": ("5000", "1"),
    "stream": ("1000", "3"),
    "streamcluster": ("2000", "4"),
}

BROKEN = [
    ("bfs", "if (parent[other] != NONE) continue;", "if (parent[other] != NONE || other % 97 == 5) continue;"),
    ("canneal", "put(&place[other], here);", "put(&place[other], there);"),
    ("cg", "residual[row] -= step", "residual[row] -= 1.001 * step"),
    ("dictionary", "table[hole] = table[place];\n    hole = place;", "continue;"),
    ("fft", "data[at] += odd;", "data[at] += at == 8 ? 0 : odd;"),
    ("gups", "(words - 1)] ^= value;", "(words - 1)] += value;"),
    ("key_value", "memcpy(item->value, value, VALUE);", "memcpy(item->value, value, VALUE - 1);"),
    ("linpack", "fabs(matrix[row * size + column]) >", "fabs(matrix[row * size + column]) <"),
    ("mg", "- grid->source[at]) / 6", "+ grid->source[at]) / 6"),
    ("mst", "joined++;\n", "if (number % 1000 != 7) joined++;\n"),
    ("set_cover", "left > 0;)", "left > 10;)"),
    ("stream", "c[at] = a[at] + b[at]", "c[at] = a[at] - b[at]"),
    ("streamcluster", "centre[each] = candidate;", "centre[each] = candidate % 1000;"),
]


def compiled(source, program):
    options = ["-std=gnu17", "-D_GNU_SOURCE", "-O2", "-fopenmp", "-Wall", "-Wextra", "-Werror", f"-I{KERNELS}"]
    subprocess.run(["gcc", *options, source, "-o", program, "-lm"], check=True)
    return program


def run(program, *words, threads=1):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    return subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_each_kernel_is_tested():
    names = {path.stem for path in KERNELS.glob("*.c")}
    assert names == SMALL.keys() == {name for name, _, _ in BROKEN}


@pytest.mark.parametrize("name", SMALL)
def test_a_kernel_is_right_and_repeats_itself(tmp_path, name):
    program = compiled(KERNELS / f"{name}.c", tmp_path / name)
    first, second = (run(program, *SMALL[name]) for _ in range(2))
    assert first.returncode == 0, first.stdout
    assert first.stdout.startswith(f"{name}: right, ")
    assert first.stdout == second.stdout
    for words in ((), ("0", "1"), ("12", "0"), ("12", "one"), ("12", "1", "1")):
        refused = run(program, *words)
        assert refused.returncode == 2, words
        assert "SIZE ROUNDS, SIZE from" in refused.stderr


@pytest.mark.parametrize("name", [name for name, program in programs.load().items() if program.threads])
def test_threads_find_the_right_result_too(tmp_path, name):
    done = run(compiled(KERNELS / f"{name}.c", tmp_path / name), *SMALL[name], threads=5)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("name", "line", "broken"), BROKEN)
def test_a_broken_kernel_is_found(tmp_path, name, line, broken):
    text = (KERNELS / f"{name}.c").read_text()
    assert text.count(line) == 1
    source = tmp_path / f"{name}.c"
    source.write_text(text.replace(line, broken))
    done = run(compiled(source, tmp_path / name), *SMALL[name])
    assert done.returncode == 1, done.stdout
    assert f"{name}: WRONG" in done.stdout
