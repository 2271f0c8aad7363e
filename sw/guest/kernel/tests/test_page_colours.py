# SPDX-License-Identifier: Apache-2.0
"""Page colours in a guest on QEMU with four harts, whose map is that of the config soc-64: the selftest of PALLOC finds
the pages of cgroups by pagemap. `make guest` builds what is run here.

Four harts wait long for each other's locks where QEMU gives them turns in one thread; with one hart the selftest's
pages would be in the wanted banks before they are moved, as those that it freed last are taken first."""

import re
import subprocess

import machine
import pytest
import registers
from registers import ROOT
from test_drivers import soc_64

COLOURS = "/sys/kernel/mm/page_colour"
SELFTEST = ROOT / "build/guest/kernel-source/tools/testing/selftests/page_colour/palloc_test.c"


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    """What a boot prints that shows the files of page colours and runs the selftest."""
    folder = tmp_path_factory.mktemp("page_colours")
    program = folder / "palloc_test"
    compiler = machine.GUEST / "bin" / "guest-cc"
    subprocess.run([compiler, "-O2", "-std=gnu11", "-Wall", "-Werror", "-s", SELFTEST, "-o", program], check=True)
    script = f"cd {COLOURS}; for file in *; do echo \"== $file\"; cat $file; done; cd /; echo '== end'; palloc_test\n"
    text, exit_code = machine.run(
        folder,
        script,
        registers=registers.image(soc_64(registers.read())),
        node=machine.controller(),
        harts=4,
        files={"/bin/palloc_test": program},
    )
    assert exit_code is not None, text
    return text


def shown(console, file):
    return re.search(rf"^== {file}\n(.*?)^== ", console, re.MULTILINE | re.DOTALL)[1].strip()


def test_the_driver_tells_the_map(console):
    assert [shown(console, file) for file in ("colours", "channels", "ranks", "banks")] == ["16", "1", "2", "8"]
    assert shown(console, "masks").split("\n") == ["bank0 0x2000", "bank1 0x4000", "bank2 0x8000", "rank0 0x10000"]
    assert shown(console, "base") == "0x80000000"


def test_nothing_is_active_without_a_policy(console):
    assert shown(console, "active") == "0"
    assert {line.split()[1] for line in shown(console, "free").splitlines()} == {"0"}


def test_the_selftest_of_palloc_passes(console):
    assert re.search(r"^# Totals: pass:20 fail:0 ", console, re.MULTILINE), console
