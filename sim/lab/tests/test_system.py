# SPDX-License-Identifier: Apache-2.0
"""System files: what is wrong with one is told with file, line, field, value and limit."""

import subprocess

import pytest
from lab_program import LAB, run


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"cores__count": 0}, "cores.count = 0: must be 1 to 64"),
        ({"cores__count": 9}, "cores.count = 9: must be at most 8, the sources of lab-rank-assignment-32gb"),
        ({"cores__reorder_buffer": "many"}, "cores.reorder_buffer = many: must be 1 to 4096"),
        ({"cores__reorder_buffer": -1}, "cores.reorder_buffer = -1: must be 1 to 4096"),
        ({"cores__model": "in_order"}, "cores.model = in_order: must be out_of_order"),
        ({"cores__width": None}, "cores.width: is missing"),
        ({"cores__issue": 4}, "cores.issue: there is no such field; there are clock_ratio, count,"),
        ({"caches__llc": 4}, "caches.llc: must be a map of fields"),
        ({"caches__llc__kibibytes": 3000}, "caches.llc.kibibytes = 3000: must be a power of two of sets of 8 ways"),
        (
            {"caches__prefetcher": {"pages": 6, "degree": 1, "distance": 1}},
            "caches.prefetcher.pages = 6: must be a power of two",
        ),
        ({"memory__model": "dram"}, "memory.model = dram: must be weir or ideal"),
        ({"memory__model": "ideal"}, "memory.cycles: is missing"),
        ({"memory__writes": "lost"}, "memory.writes = lost: must be served or dropped"),
        ({"memory__base": 32}, "memory.base = 32: must be a multiple of 64"),
    ],
)
def test_what_is_wrong_is_told(system, updates, changes, complaint):
    path = system(**changes)
    code, _, error = run("--system", path, "--traces", f"simple_o3:{updates}", "--accesses", 100)
    assert code == 2
    assert str(path) in error
    assert complaint in error


def test_options_are_told():
    done = subprocess.run([LAB, "--help"], capture_output=True, text=True, check=True)
    assert "--system sim/lab/systems/rank-assignment.yaml" in done.stdout


@pytest.mark.parametrize(
    ("more", "complaint"),
    [("cores: {count: 1}\n", "cores: is there twice"), ("---\ncores: 1\n", "has 2 documents: must be 1")],
)
def test_one_system_is_in_a_file(system, more, complaint):
    path = system()
    path.write_text(path.read_text() + more)
    code, _, error = run("--system", path, "--accesses", 1)
    assert code == 2
    assert f"{path}:" in error and complaint in error


def test_a_folder_is_no_system(tmp_path):
    code, _, error = run("--system", tmp_path, "--accesses", 1)
    assert code == 2
    assert f"{tmp_path}: is no file" in error


def test_a_file_that_is_not_there_is_named():
    code, _, error = run("--system", "/nowhere.yaml", "--accesses", 1)
    assert code == 2
    assert "/nowhere.yaml" in error


def test_a_file_that_is_no_yaml_is_named(tmp_path):
    path = tmp_path / "system.yaml"
    path.write_text("cores: [")
    code, _, error = run("--system", path, "--accesses", 1)
    assert code == 2
    assert str(path) in error and "line 1" in error
