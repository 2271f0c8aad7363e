# SPDX-License-Identifier: Apache-2.0
"""The experiments' scripts in a guest on QEMU with four harts, which finds Weir's registers in plain memory: each comes
to its end, and prints every measurement. Nothing is slower there for what the scripts set, and nothing is counted."""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
sys.path += [str(HERE), str(ROOT / "sw" / "guest" / "emulator")]

import weir_machine  # noqa: E402
import weir_registers  # noqa: E402
from experiments import FOUR_RANKS, RUNS, brief, rows  # noqa: E402
from scripts import prelude  # noqa: E402

MAPS = {
    False: ("soc-512", {"column": (3, 10), "bank": (13, 3), "rank": (16, 1), "row": (17, 14)}),
    True: ("soc-512-4rank", {"column": (3, 10), "bank": (13, 3), "rank": (16, 2), "row": (18, 13)}),
}
"""Whether there are four ranks -> config of Weir, lowest address bit and number of bits of each part of its map."""


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
    config, parts = MAPS[run.soc == FOUR_RANKS]
    registers = weir_registers.read(ROOT / "build" / "hw" / config / "Weir.rdl")
    before, after = prelude().split('eval "$(weir-freeze)"')
    assert not after.strip()
    console, exit_code = weir_machine.run(
        tmp_path,
        before + run.text(),
        registers=weir_registers.image(weir_registers.after_reset(registers, parts)),
        node=weir_machine.controller(),
        harts=4,
        options=["--append", f"memory_divider={weir_machine.REGISTERS + weir_registers.BYTES:#x}"],
    )
    assert exit_code == 0, console
    assert not re.findall(r"^(?:sh|/script): .*", console, re.MULTILINE), "the shell complains"
    found = rows(run, console)
    assert len(found) == measurements
    assert all(("energy_nj" in row) == (run.experiment == "power") for row in found)
