# SPDX-License-Identifier: Apache-2.0
"""The kernel's selftests of page colours and their policies on the simulated SoC, four harts: what they find by
pagemap is where Weir puts the pages, by the map it has then.

`make linux-long` runs it, from power-on, as the programs come with the initramfs. With as many pages as in QEMU the one
of PALLOC was not at its end after 400 million cycles: here they touch fewer, and what fills memory is skipped but for
PALLOC's banks, of a smaller memory."""

import subprocess
import sys

import machine
import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "sw/guest/selftests"))

import page_colour

pytestmark = pytest.mark.long

PAGES = 32
"""That most checks touch; each fault takes some ten thousand cycles."""
MEMORY = "48M"
"""For Linux; the initramfs lies at 32 MiB."""


@pytest.fixture(scope="module")
def start(simulate, tmp_path_factory):
    """The machine as init finds it, with the selftests in its initramfs."""
    folder = tmp_path_factory.mktemp("selftests")
    archive, tree, snapshot = page_colour.initramfs(folder), folder / "weir-4.dtb", folder / "snapshot"
    command = ["python", ROOT / "sw/guest/machine/device_tree.py", "--bootargs", f"mem={MEMORY}"]
    subprocess.run([*command, ROOT / "build/soc/weir-4/csr.json", archive, tree], check=True)
    run = simulate(machine.boot("weir-4", tree, archive), "--save", snapshot)
    assert run.code == 0, run.console + run.messages
    return snapshot


@pytest.mark.parametrize("name", page_colour.POLICIES)
def test_the_selftest_passes(simulate, start, tmp_path, name):
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\nexport PAGE_COLOUR_TEST_PAGES={PAGES}\n{name}\n")
    run = simulate(machine.resume("weir-4", script, start))
    assert run.code == 0, run.console + run.messages
    skipped = page_colour.FILL_MEMORY.get(name, 0)
    assert page_colour.wrong(name, run.console, skipped) == [], run.console
    assert run.summary["violations"] == 0
    print(f"{name}: {run.summary['cycles']} cycles")
