# SPDX-License-Identifier: Apache-2.0
"""The kernel's selftests of page colours and their policies on the simulated SoC, four harts: what they find by
pagemap is where Weir puts the pages, by the map it has then.

`make linux-long` runs it; from power-on, as the programs come with the initramfs."""

import re
import subprocess
import sys

import machine
import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "sw/guest/selftests"))

import page_colour


def initramfs(folder):
    """The guest's, with the selftests and a script that runs them."""
    script = folder / "script"
    script.write_text("".join(f"echo == {name}; {name}\n" for name in page_colour.POLICIES))
    added = {"/script": script, **page_colour.compiled(folder)}
    archive = folder / "initramfs.cpio"
    command = ["python", ROOT / "sw/guest/userland/initramfs.py", "--output", archive]
    command += ["--add-to", machine.GUEST / "initramfs.cpio"]
    command += [word for name, local in added.items() for word in ("--file", f"{name}={local}")]
    subprocess.run(command, check=True)
    return archive


@pytest.mark.long
def test_policies_pass_their_selftests(simulate, tmp_path):
    archive, tree = initramfs(tmp_path), tmp_path / "weir-4.dtb"
    make_tree = ["python", ROOT / "sw/guest/machine/device_tree.py", ROOT / "build/soc/weir-4/csr.json", archive, tree]
    subprocess.run(make_tree, check=True)
    run = simulate(machine.boot("weir-4", tree, archive))
    (tmp_path / "console.txt").write_text(run.console)
    assert run.code == 0, run.console + run.messages
    for name in page_colour.POLICIES:
        text = re.search(rf"^== {name}\n(.*?)(?=^== |\Z)", run.console, re.MULTILINE | re.DOTALL)[1]
        assert page_colour.wrong(name, text) == [], run.console
    assert run.summary["violations"] == 0
