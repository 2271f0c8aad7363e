# SPDX-License-Identifier: Apache-2.0
"""The kernel's selftests of policies that choose where pages lie on the simulated SoC, four harts: what they find is
where Weir puts the pages, by the map it has then.

`make linux-long` runs it, from power-on, as the programs come with the initramfs. With as many pages as in QEMU the one
of PALLOC was not at its end after 400 million cycles: here they touch fewer, and what fills memory is skipped."""

import subprocess
import sys

import machine
import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "sw/guest/selftests"))

import policies

pytestmark = pytest.mark.long

ALL = (*policies.COLOURS, *policies.NODES)
PAGES = 32
"""That most checks touch; each fault takes some ten thousand cycles."""


@pytest.fixture(scope="module")
def start(simulate, tmp_path_factory):
    """The machine as init finds it, with the selftests in its initramfs."""
    folder = tmp_path_factory.mktemp("selftests")
    archive, tree, snapshot = policies.initramfs(folder, ALL), folder / "weir-4.dtb", folder / "snapshot"
    command = ["python", ROOT / "sw/guest/machine/device_tree.py"]
    subprocess.run([*command, ROOT / "build/soc/weir-4/csr.json", archive, tree], check=True)
    run = simulate(machine.boot("weir-4", tree, archive), "--save", snapshot)
    assert run.code == 0, run.console + run.messages
    return snapshot


@pytest.mark.parametrize("name", ALL)
def test_the_selftest_passes(simulate, start, tmp_path, name):
    script = tmp_path / "script"
    few = "".join(f"export {variable}={PAGES}\n" for variable in policies.FEW_PAGES)
    script.write_text(f"#!/bin/sh\n{few}{name}\n")
    run = simulate(machine.resume("weir-4", script, start))
    assert run.code == 0, run.console + run.messages
    skipped = policies.FILL_MEMORY.get(name, 0)
    assert policies.wrong(name, run.console, skipped) == [], run.console
    assert run.summary["violations"] == 0
    print(f"{name}: {run.summary['cycles']} cycles")
