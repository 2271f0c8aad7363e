# SPDX-License-Identifier: Apache-2.0
"""What `ecp5-lite`, the controller of the smallest boards, may take of an ECP5: as `make build` synthesised it."""

import re
from dataclasses import asdict
from pathlib import Path

from cells import Area, area
from synthesise import alone
from tools import read

ROOT = Path(__file__).resolve().parents[3]
CORE = ROOT / "build" / "area" / "ecp5-lite"

# LUT equivalents: 1.2 times the 3073 of LiteDRAM's core from the same flow, which is what `make compare` demands of
# both measured together. Flip-flops and block RAMs: the 1877 and 8 there were when the budget was set, and 5 %.
BUDGET = Area(lut_equivalents=3687, ff=1970, ebr=8, dsp=0)


def excess(found: Area) -> dict[str, int]:
    """By how much each figure is over the budget, of those that are."""
    allowed = asdict(BUDGET)
    return {name: used - allowed[name] for name, used in asdict(found).items() if used > allowed[name]}


def test_the_controller_is_within_its_budget():
    found = area(read(CORE / "stat.json"))
    assert not excess(found), f"{found} is over {BUDGET}"


def test_a_line_buffer_that_is_no_block_ram_is_over_budget(tmp_path):
    """A mutation: without their attribute Yosys puts the lines' buffers into LUTs, and what is read into flip-flops."""
    text, changed = re.subn(r'ram_style = "block", ', "", (CORE / "core.v").read_text())
    assert changed == 2
    (tmp_path / "core.v").write_text(text)
    alone(tmp_path, "Weir")
    assert excess(area(read(tmp_path / "stat.json"))).keys() == {"lut_equivalents", "ff"}
