# SPDX-License-Identifier: Apache-2.0
"""Page colours in a guest on QEMU with four harts, whose map is that of the config soc-64: the kernel's selftests find
the pages of cgroups and processes by pagemap. `make guest` builds what is run here.

Four harts wait long for each other's locks where QEMU gives them turns in one thread; with one hart the selftest's
pages would be in the wanted banks before they are moved, as those that it freed last are taken first."""

import re

import guest_cc
import policies
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT, after_reset

COLOURS = "/sys/kernel/mm/page_colour"
DEVICE = f"/sys/bus/platform/drivers/weir/{machine.REGISTERS:x}.memory-controller"
GROUP = "/sys/fs/cgroup/told"
OF_CONTROLLER = " ".join(f"{DEVICE}/{folder}/*" for folder in ("geometry", "address_map", "policies", "timings"))
FILES = f"{COLOURS}/* {OF_CONTROLLER} {GROUP}/memory.palloc.* /proc/self/page_colours"
"""All files that say something of colours, or of what they are made of."""
OPEN_TO_ALL = ("active", "banks", "channels", "colours", "ranks", "size")
"""The files of page colours that tell nothing of a page."""
HIDDEN = r"/(?:address_map/(?:map|[a-z_]+\d+)|geometry/memory_base)$"
"""Those of the controller from which physical addresses are made."""


@pytest.fixture(scope="module")
def console(tmp_path_factory):
    """What a boot prints that shows the files of page colours and runs the selftests."""
    folder = tmp_path_factory.mktemp("page_colours")
    script = f"""cd {COLOURS}
for file in *; do echo "== $file"; cat $file; done
cd /
for test in {" ".join(policies.COLOURS)}; do echo "== $test"; $test; done
mkdir {GROUP}; echo 1-2 >{GROUP}/memory.palloc.banks
told_user() {{ (echo 0 >{GROUP}/cgroup.procs; as_user told {FILES}); }}
echo "== files"; for file in {FILES}; do echo $file; done
echo "== told"; told_user
chmod 444 {COLOURS}/free; echo "== told by free"; told_user; chmod 400 {COLOURS}/free
chmod 444 {COLOURS}/events; echo "== told by events"; told_user
echo "== end"
"""
    programs = (ROOT / "sw/guest/kernel/tests/guest" / f"{name}.c" for name in ("as_user", "told"))
    text, exit_code = machine.run(
        folder,
        script,
        registers=registers.image(after_reset(registers.read())),
        node=machine.controller(),
        harts=4,
        files={
            **{f"/bin/{source.stem}": guest_cc.compiled(folder / source.stem, source) for source in programs},
            **policies.compiled(folder),
        },
    )
    assert exit_code is not None, text
    return text


def shown(console, file):
    return machine.sections(console)[file]


def test_the_driver_tells_the_map(console):
    assert [shown(console, file) for file in ("colours", "channels", "ranks", "banks")] == ["16", "1", "2", "8"]
    assert shown(console, "masks").split("\n") == ["bank0 0x2000", "bank1 0x4000", "bank2 0x8000", "rank0 0x10000"]
    assert shown(console, "base") == "0x80000000"


def test_nothing_is_active_without_a_policy(console):
    assert shown(console, "active") == "0"
    assert {line.split()[1] for line in shown(console, "free").splitlines()} == {"0"}


@pytest.mark.parametrize("name", policies.COLOURS)
def test_the_selftest_passes(console, name):
    assert policies.wrong(name, shown(console, name)) == [], console


def told(console, section):
    """File -> how often what it said changed while 64 pages were touched one by one, of those that a user can open."""
    return {name: int(count) for name, count in (line.split() for line in shown(console, section).splitlines())}


def test_who_is_not_root_can_read_what_tells_nothing_of_pages(console):
    files = shown(console, "files").splitlines()
    of_controller = {file for file in files if file.startswith(DEVICE)}
    hidden = {file for file in of_controller if re.search(HIDDEN, file)}
    assert len(of_controller) > 50 and len(hidden) > 20
    expected = {f"{COLOURS}/{name}" for name in OPEN_TO_ALL} | (of_controller - hidden)
    assert told(console, "told").keys() == expected


def test_nothing_that_all_can_read_changes_with_a_page(console):
    assert not any(told(console, "told").values())


@pytest.mark.parametrize(("name", "least"), [("free", 1), ("events", 33)])
def test_a_file_that_tells_of_pages_is_found_out(console, name, least):
    """As if its mode were that of the others. What is free changes once for all pages that come to the CPU's list at a
    time, the number of events with each."""
    changes = told(console, f"told by {name}")
    assert changes.pop(f"{COLOURS}/{name}") >= least
    assert not any(changes.values())
