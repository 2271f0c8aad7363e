# SPDX-License-Identifier: Apache-2.0
"""What policies cost who uses them, in instructions, counted by QEMU with one hart: forks of a thread that has a rank,
and the first banks of a cgroup. `pytest -s` shows the numbers."""

import statistics

import guest_cc
import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import ROOT

GUEST = ROOT / "sw/guest/kernel/tests/guest"
RUNS = 5
"""What a fork costs differs by a tenth from one run to the next, as free pages and slabs lie elsewhere."""
ASSIGNED = "/sys/kernel/mm/rank_assignment/enabled"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Section -> numbers by name, of a guest whose two ranks are nodes."""
    folder = tmp_path_factory.mktemp("policy_cost")
    forks = f"""echo "== forks {{0}}"; (forks)
echo 1 >{ASSIGNED}; echo "== assigned forks {{0}}"; (forks); echo 0 >{ASSIGNED}
"""
    script = f"""{"".join(forks.format(run) for run in range(RUNS))}
cd /sys/fs/cgroup; echo +memory >cgroup.subtree_control
echo "== toggles"; toggles
echo "== end"
"""
    programs = ("forks", "toggles")
    console, exit_code = machine.run(
        folder,
        script,
        registers.image(registers.after_reset(registers.read(), machine.rank_row_bank_column(2))),
        machine.controller(),
        ranks=2,
        files={f"/bin/{name}": guest_cc.compiled(folder / name, GUEST / f"{name}.c") for name in programs},
        options=["--count-instructions"],
    )
    assert exit_code == 0, console
    return machine.measured(console)


def test_a_fork_chooses_a_rank_at_little_cost(shown):
    """Each fork finds two nodes for its thread."""
    plain, assigned = (
        statistics.median(shown[f"{name} {run}"]["fork"] for run in range(RUNS)) for name in ("forks", "assigned forks")
    )
    print(f"a fork costs {plain}, of a thread that has a rank {assigned}")
    assert plain > 10_000
    assert assigned < 1.1 * plain


def test_sorting_free_pages_costs_little_for_each(shown):
    """Each free block is looked at once. The limit is what that may take were each page a block of its own."""
    numbers = shown["toggles"]
    assert numbers["free"] > 10_000
    assert max(numbers["on"], numbers["off"]) < 32 * numbers["free"]
