# SPDX-License-Identifier: Apache-2.0
"""What page faults cost beside PALLOC's groups, in instructions, counted by QEMU with one hart: where a group's banks
are full, and for who has no banks. `pytest -s` shows the numbers."""

import guest_cc
import pytest
import weir_machine as machine
from weir_registers import ROOT

COLOURS = "page_colour=128M@0x80000000,rank:10000,bank:2000+4000+8000"
SOURCE = ROOT / "sw/guest/kernel/tests/guest/faults.c"
HELD = (0, 1000, 8000)
"""Pages that others hold."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Section -> numbers by name."""
    folder = tmp_path_factory.mktemp("faults")
    script = f"""cd /sys/fs/cgroup; echo +memory >cgroup.subtree_control; mkdir group
echo "== nobody has banks"; faults
{"".join(f'echo "== {held} held"; faults {held}; ' for held in HELD)}
echo 1-2 >group/memory.palloc.banks; echo "== others share"; faults
echo 1 >group/memory.palloc.private; echo "== others are private"; faults
echo "== end"
"""
    console, exit_code = machine.run(
        folder,
        script,
        files={"/bin/faults": guest_cc.compiled(folder / "faults", SOURCE)},
        options=["--count-instructions", "--append", COLOURS],
    )
    assert exit_code == 0, console
    return machine.measured(console)


@pytest.mark.parametrize("held", HELD)
def test_a_fault_costs_little_more_where_the_banks_are_full(shown, held):
    """In the mean a tenth of what it may; the greatest one is when the group's own pages are looked through."""
    numbers = shown[f"{held} held"]
    assert numbers["full"] < 10 * numbers["first"]
    assert numbers["most"] < 100 * numbers["first"]


@pytest.mark.parametrize("held", HELD)
def test_nobody_else_gives_up_pages(shown, held):
    assert shown[f"{held} held"]["lost"] == 0


def test_faults_of_others_are_counted(shown):
    assert all(shown[name]["fault"] > 1000 for name in ("nobody has banks", "others share", "others are private"))
