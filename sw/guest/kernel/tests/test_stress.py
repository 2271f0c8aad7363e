# SPDX-License-Identifier: Apache-2.0
"""What stress.py makes of a run: a splat, a leak, a wrong count and whatever else must not be are found in a console's
text. `make stress` is the run itself."""

import sys

import pytest
from weir_registers import ROOT

sys.path.insert(0, str(ROOT / "sw" / "guest" / "kernel" / "stress"))

import stress

RIGHT = """[    4.345590] Adding 262140k swap on /dev/ram0.  Priority:-2 extents:1 across:262140k SS
weir: stress begins, 2 colours
[  119.275131] run.sh (59): drop_caches: 3
[  120.100000] Out of memory: Killed process 77 (stress-ng-vm)

== results
policies 1 1
ran plain vm 0 1200
ran private vm 3 0
ran limited vm 137 0
ran shared fork 0 30
said plain vm: fail: is no line of the kernel
toggle banks 5 2
toggle private 3 0
toggle inactive 1 0
toggle migrate 9 1
toggle rmdir 4 0
toggle rank 2 0
toggle vip 2 1
group plain 4096 0
group shared 0 0
group private 0 0
group limited 0 0
group ranked 0 0
group powered 0 0
dying 0
groups 0
active end 0
banks end free
count end colour 0 100 100 0
count end colour 1 50 50 2
count end free 150 150 150
active end 0
meminfo end MemFree: 600
vmstat nr_isolated_anon=0
event pswpout 12
leaks 0
== leaks
== end
weir: exit 0
"""
LEAK = """unreferenced object 0xff60000081234500 (size 64):
  comm "toggle.sh", pid 70, jiffies 4294940000
  backtrace (crc 0):
    kmemleak_alloc+0x1a/0x30
    palloc_online+0x10/0x90
"""


def changed(*changes):
    """What came of a run whose console differs by `changes` (text, what stands for it)."""
    console = RIGHT
    for old, new in changes:
        assert old in console
        console = console.replace(old, new)
    return stress.result(console)


def test_nothing_is_wrong_with_a_right_run():
    found = stress.result(RIGHT)
    assert found["wrong"] == []
    assert found["stressors"] == {
        "fork": {"runs": 1, "passed": 1, "bogo_ops": 30},
        "vm": {"runs": 3, "passed": 1, "bogo_ops": 1200},
    }
    assert found["toggles"]["banks"] == {"done": 5, "refused": 2}
    assert found["free_pages"] == {"by_colour": 150, "buddyinfo": 150, "meminfo": 150}
    assert found["free_pages_by_colour"] == {"0": 100, "1": 50}
    assert found["groups"]["plain"] == {"bytes": 4096, "swapped": 0}
    assert found["meminfo_kib"] == {"MemFree": 600}
    assert found["events"] == {"pswpout": 12}
    assert found["said"] == ["plain vm: fail: is no line of the kernel"]


SPLATS = {
    "KASAN": "BUG: KASAN: slab-use-after-free in palloc_update+0x10/0x20",
    "lockdep": "WARNING: possible circular locking dependency detected",
    "sleep": "BUG: sleeping function called from invalid context at mm/palloc.c:300",
    "list": "list_del corruption. next is wrong\n[  120.3] ------------[ cut here ]------------",
    "hung": "INFO: task kworker/0:1:22 blocked for more than 900 seconds.",
    "stall": "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
    "negative": "vmstat_refresh: nr_free_pages -12",
    "no kmemleak": "kmemleak: Kernel memory leak detector disabled",
}


@pytest.mark.parametrize("splat", SPLATS.values(), ids=SPLATS)
def test_a_splat_is_found(splat):
    found = changed(("[  120.1", f"[  120.2] {splat}\n[  120.1"))
    assert found["objections"] and found["wrong"] == [f"the kernel objects: {line}" for line in found["objections"]]


def test_each_leak_is_found():
    found = changed(("== leaks\n", f"== leaks\n{LEAK}{LEAK}"))
    assert len(found["leaks"]) == len(found["wrong"]) == 2
    assert "palloc_online" in found["wrong"][0]


WRONG = {
    "pages of a colour": ("colour 1 50 50", "colour 1 51 50", "colour 1: 51 free pages by the kernel's count, 50"),
    "pages of all colours": ("free 150 150", "free 150 149", "150 149 150"),
    "MemFree": ("150 150\n", "150 152\n", "150 150 152"),
    "counts": ("count end free 150 150 150\n", "", "free pages were not counted"),
    "isolated": ("anon=0", "anon=32", "/proc/vmstat: nr_isolated_anon=32"),
    "charge": ("plain 4096", "plain 40960000", "plain has"),
    "swap": ("private 0 0", "private 0 4096", "private has"),
    "no look": ("group limited 0 0\n", "", "limited was not looked at when empty"),
    "groups": ("dying 0", "dying 2", "2 cgroups are left (dying)"),
    "groups left": ("groups 0", "groups 1", "1 cgroups are left (groups)"),
    "banks": ("banks end free", "banks end taken", "banks are not free again"),
    "use": ("active end 0\nmem", "active end 1\nmem", "page colours are still in use"),
    "verify": ("shared fork 0", "shared fork 2", "stress-ng fork in shared: exit code 2"),
    "stuck": ("shared fork 0", "shared fork stuck", "stress-ng fork in shared: exit code stuck"),
    "swapoff": ("dying", "failed swapoff\ndying", "failed: swapoff"),
    "no changes": ("rank 2 0", "rank 0 2", "rank was never done"),
    "end": ("== end\n", "", "the guest did not come to the end"),
}


@pytest.mark.parametrize(("old", "new", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(old, new, said):
    assert any(said in line for line in changed((old, new))["wrong"])


def test_a_guest_that_dies_is_no_right_run():
    found = stress.result(RIGHT.split("\n== results")[0])
    assert "no stressor ran" in found["wrong"] and "free pages were not counted" in found["wrong"]


def test_the_exit_code_says_whether_something_is_wrong(monkeypatch, tmp_path):
    for console, code in ((RIGHT, 0), (RIGHT.replace("dying 0", "dying 1"), 1)):
        monkeypatch.setattr(stress, "boot", lambda *_, console=console: console)
        assert stress.main(["--minutes", "1", "--output", str(tmp_path / "result.json")]) == code
        assert (tmp_path / "result.json").is_file()
