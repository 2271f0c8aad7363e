# SPDX-License-Identifier: Apache-2.0
"""The selftests of page colours in a kernel with debug options, whose objections count, and which can compact memory,
take it offline and empty areas of it: on QEMU with four harts. Its sets of colours have several words, and one guest
has a map of 256 colours. `make kunit` runs this."""

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
MANY_COLOURS = "channel:100000,rank:40000+80000,bank:402000+804000+1008000+2010000+4020000"
"""256: two channels of four ranks of 32 banks."""
GUESTS = {
    # the debug options leave too little of 128 MiB
    "policies": (256, COLOURS, "", policies.COLOURS),
    # four blocks of memory: the kernel's, the initramfs', one that can go, and one with the array of struct page
    "migration": (512, COLOURS, "movablecore=256M cma=8M", ("migration_test",)),
    # two banks of the 256 have to hold the pages that the selftests touch
    "many colours": (1024, MANY_COLOURS, "", policies.COLOURS),
}
"""Name -> MiB of memory, its colours, more of the kernel's command line, selftests."""
FILES = "/sys/kernel/mm/page_colour"
SHOW = f"""cd /sys/fs/cgroup; echo +memory >cgroup.subtree_control; mkdir shown
echo 63-64,129,254-255 >shown/memory.palloc.banks
echo == banks; cat shown/memory.palloc.banks; echo == free; cat {FILES}/free
echo == memory; cat /proc/meminfo
echo == bytes; dd if={FILES}/free bs=10 2>/dev/null | wc -c
echo == colours; cat {FILES}/colours; echo >shown/memory.palloc.banks; rmdir shown; cd /
"""
"""A script that shows what the files say while a group has banks, where there are 256."""
LINE = 26
"""Bytes of a line of the file free."""


def boot(folder, guest, image):
    """The selftests of a guest, and what it prints while it runs them on the kernel that is the file `image`."""
    memory, colours, more, names = GUESTS[guest]
    archive, script = policies.initramfs(folder, names), folder / "script"
    # a selftest that fails ends with 1, and the others are run all the same
    show = SHOW if colours == MANY_COLOURS else ""
    script.write_text(show + "".join(f"echo == {name}; {name}\n" for name in names))
    words = f"page_colour={memory}M@0x80000000,{colours} {more} loglevel=7"
    command = [sys.executable, ROOT / "sw/guest/emulator/qemu.py", "--timeout", str(3 * machine.SECONDS)]
    command += ["--memory", str(memory), "--append", words]
    command += ["--image", image, "--initramfs", archive, "--script", script]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    console = done.stdout.decode(errors="replace").replace("\r", "")
    assert "weir: exit" in console, console + done.stderr.decode(errors="replace")
    return names, console


def failed(console):
    """The checks of selftests that failed, in their order."""
    return re.findall(r"^not ok \d+ (.*)$", console, re.MULTILINE)


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


@pytest.mark.parametrize("guest", ["many colours"], indirect=True)
def test_files_say_all_of_many_colours(guest):
    _, console = guest
    shown = machine.sections(console)
    assert shown["colours"] == "256"
    assert shown["banks"] == "63-64,129,254-255"
    # more than a page, which a file of sysfs has at most otherwise
    assert int(shown["bytes"]) == 256 * LINE > 4096
    lines = shown["free"].split("\n")
    assert [line.split()[0] for line in lines] == [str(colour) for colour in range(256)]
    # but for the last, whose blanks are gone with the section's end
    assert {len(line) for line in lines[:-1]} == {LINE - 1}
    pages = [int(line.split()[1]) for line in lines]
    assert max(pages) <= 1024
    # others allocate and free between the two readings
    assert abs(sum(pages) - int(re.search(r"^MemFree: +(\d+) kB$", shown["memory"], re.MULTILINE)[1]) // 4) < 512


def test_a_kernel_with_sets_of_one_word_is_found_out(tmp_path):
    """One whose groups have no banks above 63: what they are given is taken, and then not looked at."""
    names, console = boot(tmp_path, "many colours", machine.GUEST / "kunit/broken/Image")
    assert "palloc_test" in names
    assert "pages are in the banks" in failed(console), console


def test_a_kernel_that_forgets_huge_and_swapped_pages_is_found_out(tmp_path):
    """One that passes huge pages by when the pages of a group move, gives those of hugetlbfs the colours of a group,
    and places those that are collapsed, and what is swapped in, for who does that and not for the owner."""
    _, console = boot(tmp_path, "migration", machine.GUEST / "kunit/broken/Image")
    assert failed(console) == [
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
    assert "banks are free as soon as their cgroup is removed" in failed(console), console
