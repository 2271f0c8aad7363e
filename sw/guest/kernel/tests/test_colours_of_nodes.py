# SPDX-License-Identifier: Apache-2.0
"""Page colours where each of two ranks is a node, in a guest on QEMU with four harts: what one lacks, the other has."""

import subprocess
import sys

import policies
import pytest
import weir_machine as machine
from weir_registers import ROOT

COLOURS = "page_colour=128M@0x80000000,rank:4000000,bank:2000+4000+8000"
"""The rank on top, of 128 MiB; banks as in soc-64."""


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    """What a boot prints that runs the selftests."""
    folder = tmp_path_factory.mktemp("nodes")
    archive, script = policies.initramfs(folder), folder / "script"
    script.write_text("".join(f"echo == {name}; {name}\n" for name in policies.COLOURS) + "echo == end\n")
    command = [sys.executable, ROOT / "sw/guest/emulator/qemu.py", "--timeout", str(machine.SECONDS), "--nodes", "2"]
    command += ["--append", COLOURS, "--initramfs", archive, "--script", script]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.stdout.decode(errors="replace").replace("\r", "")


@pytest.mark.parametrize("name", policies.COLOURS)
def test_the_selftest_passes(console, name):
    assert policies.wrong(name, machine.sections(console)[name]) == [], console
