# SPDX-License-Identifier: Apache-2.0
"""Each fault that is put into the cores or the caches fails their unit tests."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MACHINE = ROOT / "sim" / "lab" / "machine"
BUILD = ROOT / "build" / "lab"
CORE, CACHES = "core/out_of_order.cpp", "cache/hierarchy.cpp"

FAULTS = {
    "a dependence is not waited for": (CORE, "return parent == number ? 0 : load(parent).done;", "return 0;"),
    "every load waits for the one before": (
        CORE,
        "known ? number : number - next_.dependsOn",
        "number - (number != 0)",
    ),
    "a load does not see an older store": (CORE, "if (forwarded(entry)) {", "if (false) {"),
    "the load queue is larger": (CORE, "loadsLeft_ == config_.loadQueue)", "loadsLeft_ == config_.loadQueue + 1)"),
    "the reorder buffer is larger": (
        CORE,
        "config_.reorderBuffer - buffered_",
        "config_.reorderBuffer + 1 - buffered_",
    ),
    "an instruction more leaves in a cycle": (
        CORE,
        "unsigned room = config_.width;",
        "unsigned room = config_.width + 1;",
    ),
    "a write-back is lost": (CACHES, "writeBacks_.push_back({way->number, at, core});", ""),
    "a store leaves its line clean": (CACHES, "line.dirty = line.owned = true;", "line.owned = true;"),
    "clean lines are written": (CACHES, "if (way->valid() && way->dirty) {", "if (way->valid()) {"),
    "a miss is doubled": (
        CACHES,
        "requests_.push_back({line, done, core});",
        "for (int twice = 0; twice < 2; ++twice) requests_.push_back({line, done, core});",
    ),
    "a line is read while it is written": (
        CACHES,
        "if (each->at <= now && written_.count(each->line) == 0 && memory_.read",
        "if (each->at <= now && memory_.read",
    ),
    "any line is thrown out": (CACHES, "  shared_.use(*way);\n  return way;", "  return way;"),
}


def objects(tmp_path, source, text):
    """The objects of the unit test and of the machine, that of a source compiled from another text."""
    broken = tmp_path / Path(source).name
    broken.write_text(text)
    compiled = tmp_path / "broken.o"
    words = [
        "ccache",
        "clang++-16",
        "-std=gnu++17",
        "-O1",
        "-c",
        f"-I{(MACHINE / source).parent}",
        broken,
        "-o",
        compiled,
    ]
    subprocess.run(words, check=True, cwd=ROOT)
    replaced = BUILD / "objects" / Path(source).with_suffix(".o")
    return [compiled, *(each for each in sorted((BUILD / "objects").rglob("*.o")) if each != replaced)]


def fails(tmp_path, source, text):
    program = tmp_path / "unit_test"
    libraries = ["-lgtest", "-lgtest_main", "-lyaml-cpp", "-lzstd", "-pthread"]
    subprocess.run(["clang++-16", *objects(tmp_path, source, text), *libraries, "-o", program], check=True)
    return subprocess.run([program, "--gtest_brief=1"], capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("source", [CORE, CACHES])
def test_the_machine_as_it_is_passes(tmp_path, source):
    assert not fails(tmp_path, source, (MACHINE / source).read_text())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(tmp_path, fault):
    source, right, wrong = FAULTS[fault]
    text = (MACHINE / source).read_text()
    assert text.count(right) == 1
    assert fails(tmp_path, source, text.replace(right, wrong))
