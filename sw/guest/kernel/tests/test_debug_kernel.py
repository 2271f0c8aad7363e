# SPDX-License-Identifier: Apache-2.0
"""The selftests of page colours in a kernel with debug options, whose objections count, and which can compact memory,
take it offline and empty areas of it: on QEMU with four harts. `make kunit` runs this."""

import re
import subprocess
import sys

import policies
import pytest
import weir_machine as machine
from weir_registers import ROOT

pytestmark = pytest.mark.long

COLOURS = "rank:10000,bank:2000+4000+8000"
"""Those of soc-64."""
GUESTS = {
    # the debug options leave too little of 128 MiB
    "policies": (256, "", policies.COLOURS),
    # four blocks of memory: the kernel's, the initramfs', one that can go, and one with the array of struct page
    "migration": (512, "movablecore=256M cma=8M", ("migration_test",)),
}
"""Name -> MiB of memory, more of the kernel's command line, selftests."""


def boot(folder, guest, image):
    """The selftests of a guest, and what it prints while it runs them on the kernel that is the file `image`."""
    memory, more, names = GUESTS[guest]
    archive, script = policies.initramfs(folder, names), folder / "script"
    # a selftest that fails ends with 1, and the others are run all the same
    script.write_text("".join(f"echo == {name}; {name}\n" for name in names))
    words = f"page_colour={memory}M@0x80000000,{COLOURS} {more} loglevel=7"
    command = [sys.executable, ROOT / "sw/guest/emulator/qemu.py", "--timeout", str(3 * machine.SECONDS)]
    command += ["--memory", str(memory), "--append", words]
    command += ["--image", image, "--initramfs", archive, "--script", script]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    console = done.stdout.decode(errors="replace").replace("\r", "")
    assert "weir: exit" in console, console + done.stderr.decode(errors="replace")
    return names, console


@pytest.fixture(scope="module", params=GUESTS)
def guest(request, tmp_path_factory):
    """The selftests of a guest, and what it prints while it runs them."""
    return boot(tmp_path_factory.mktemp(request.param), request.param, machine.GUEST / "kunit/Image")


def test_the_selftests_pass(guest):
    names, console = guest
    for name in names:
        assert policies.wrong(name, machine.sections(console)[name]) == [], console


def test_the_kernel_objects_to_nothing(guest):
    _, console = guest
    assert machine.objections(console) == [], console


def test_a_kernel_that_forgets_huge_and_swapped_pages_is_found_out(tmp_path):
    """One that passes huge pages by when the pages of a group move, gives those of hugetlbfs the colours of a group,
    and places those that are collapsed, and what is swapped in, for who does that and not for the owner."""
    _, console = boot(tmp_path, "migration", machine.GUEST / "kunit/broken/Image")
    assert re.findall(r"^not ok \d+ (.*)$", console, re.MULTILINE) == [
        "pages are swapped in to their banks",
        "pages that two have are swapped in to their banks",
        "a huge page moves to the banks",
        "a huge page that cannot move is told",
        "others collapse no pages into one outside the banks",
        "pages of others are collapsed",
        "the pool of hugetlbfs grows on behalf of the group",
    ], console


def test_a_kernel_that_leaves_banks_to_removed_groups_is_found_out(tmp_path):
    _, console = boot(tmp_path, "policies", machine.GUEST / "kunit/broken/Image")
    assert "banks are free as soon as their cgroup is removed" in re.findall(
        r"^not ok \d+ (.*)$", console, re.MULTILINE
    ), console
