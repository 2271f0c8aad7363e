# SPDX-License-Identifier: Apache-2.0
"""The experiments' scripts in a guest on QEMU with four harts, which finds Weir's registers in plain memory: each comes
to its end, and prints every measurement. Nothing is slower there for what the scripts set, and nothing is counted."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
sys.path += [str(HERE), str(ROOT / "sw" / "guest" / "emulator")]

import weir_machine  # noqa: E402
import weir_registers  # noqa: E402
from experiments import FOUR_RANKS, RUNS, brief, rows  # noqa: E402
from scripts import prelude  # noqa: E402

CONFIGS = {False: ("soc-512", 2), True: ("soc-512-4rank", 4)}
"""Whether there are four ranks -> config of Weir, ranks."""


def guest(folder, run, **more):
    """What the guest prints while it runs the script of `run` behind the prelude, and its exit code."""
    config, ranks = CONFIGS[run.soc == FOUR_RANKS]
    registers = weir_registers.read(ROOT / "build" / "hw" / config / "Weir.rdl")
    before, after = prelude().split('eval "$(weir-freeze)"')
    assert not after.strip()
    words = weir_registers.after_reset(registers, weir_machine.rank_row_bank_column(ranks))
    return weir_machine.run(
        folder,
        before + run.text(),
        registers=weir_registers.image(words),
        node=weir_machine.controller(),
        harts=4,
        ranks=ranks,
        options=["--append", f"memory_divider={weir_machine.REGISTERS + weir_registers.BYTES:#x}"],
        **more,
    )


@pytest.mark.parametrize(
    ("runs", "name", "measurements"),
    [
        (brief(RUNS), "palloc-same-bank", 2),
        (brief(RUNS), "refresh-own-rank", 1),
        (RUNS, "palloc-private-banks", 6),
        (RUNS, "bank-bandwidth-one-bank", 3),
        (RUNS, "refresh-all-ranks", 4),
        (RUNS, "mapping-error-own-rank", 3),
        (RUNS, "write-drains-by-channel-own-rank", 1),
        (RUNS, "power-low-power-first", 4),
    ],
)
def test_a_script_comes_to_its_end(tmp_path, runs, name, measurements):
    (run,) = (each for each in runs if each.name == name)
    console, exit_code = guest(tmp_path, run)
    assert exit_code == 0, console
    assert not re.findall(r"^(?:sh|/script): .*", console, re.MULTILINE), "the shell complains"
    found = rows(run, console)
    assert len(found) == measurements
    assert all(("energy_nj" in row) == (run.experiment == "power") for row in found)


WORKLOAD = """#!/bin/sh
while read address policy rest; do
  case "$rest" in *stack*) echo "where: $* $rest" ;; esac
done </proc/$$/numa_maps
exec chase --size 4096 "$@"
"""
"""Says where its stack is, without a process more, and does what is to be timed."""


@pytest.mark.parametrize("counted", ["", "staggered", "staggered elastic"])
def test_each_workload_has_a_rank_of_its_own(tmp_path, counted):
    """Counted or not, the one on hart 0 gets the rank that no neighbour has, each time."""
    (run,) = (each for each in RUNS if each.name == "mapping-error-own-rank")
    changed = {"WORKLOAD": "where", "ERRORS": "0", "REFRESHES": "staggered simultaneous elastic", "COUNTED": counted}
    workload = tmp_path / "where"
    workload.write_text(WORKLOAD)
    workload.chmod(0o755)
    files = {"/bin/where": workload}
    console, exit_code = guest(tmp_path, replace(run, variables={**run.variables, **changed}), files=files)
    assert exit_code == 0, console
    said = re.findall(r"^where: .*--hart (\d) .* N(\d)=\d+ kernelpagesize", console, re.MULTILINE)
    assert sorted(hart for hart, _ in said) == ["0", "0", "0", "1", "2", "3"], console
    assert len({node for _, node in said}) == 4 and len(set(said)) == 4, console
