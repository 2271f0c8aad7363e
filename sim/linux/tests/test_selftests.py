# SPDX-License-Identifier: Apache-2.0
"""The kernel's selftests of page colours and their policies on the simulated SoC, four harts: what they find by
pagemap is where Weir puts the pages, by the map it has then.

`make linux-long` runs it; from power-on, as the programs come with the initramfs."""

import re
import subprocess

import machine
import pytest
from conftest import ROOT

SELFTESTS = ROOT / "build/guest/kernel-source/tools/testing/selftests/page_colour"
CHECKS = {"colours_test": 6, "palloc_test": 21, "rank_test": 30, "vip_test": 29}
"""How many checks each of them has."""


def initramfs(folder):
    """The guest's, with the selftests and a script that runs them."""
    script = folder / "script"
    script.write_text("".join(f"echo == {name}; {name}\n" for name in CHECKS))
    added = {"/script": script}
    for name in CHECKS:
        added[f"/bin/{name}"] = folder / name
        compiler = [ROOT / "build/guest/bin/guest-cc", "-Os", "-std=gnu11", "-s"]
        subprocess.run([*compiler, SELFTESTS / f"{name}.c", "-o", folder / name], check=True)
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
    for name, checks in CHECKS.items():
        text = re.search(rf"^== {name}\n(.*?)(?=^== |\Z)", run.console, re.MULTILINE | re.DOTALL)[1]
        results = re.findall(r"^(?:ok|not ok) \d+ .*", text, re.MULTILINE)
        assert not [line for line in results if not line.startswith("ok")], run.console
        assert len(results) == checks, run.console
        assert re.search(r" fail:0 xfail:0 xpass:0 skip:0 error:0$", text, re.MULTILINE), run.console
    assert run.summary["violations"] == 0
