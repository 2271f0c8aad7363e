# SPDX-License-Identifier: Apache-2.0
"""The area of a synthesised core, from what Yosys counts (`stat -json`)."""

from __future__ import annotations

from dataclasses import dataclass

from tools import ToolError

# LUT4s that a cell takes the place of: a CCU2C is the two LUTs of a slice with their carries; a TRELLIS_DPR16X4 takes
# the four LUTs of its memory and two for its write port. PFUMX and L6MUX21 lie beside the LUTs that they join;
# $scopeinfo is what remains of the names of modules.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6, "PFUMX": 0, "L6MUX21": 0, "$scopeinfo": 0}
FLIP_FLOP, BLOCK_RAM, MULTIPLIER = "TRELLIS_FF", "DP16KD", "MULT18X18D"


@dataclass(frozen=True)
class Area:
    """`lut_equivalents` as above, flip-flops, block RAMs of 18 kbit, multipliers of 18 by 18 bits."""

    lut_equivalents: int
    ff: int
    ebr: int
    dsp: int


def area(stat: dict) -> Area:
    """Of the flattened design. ToolError for a cell whose size is not known here, so that none goes uncounted."""
    design = stat.get("design")
    cells = design.get("num_cells_by_type") if isinstance(design, dict) else None
    if not isinstance(cells, dict) or not all(isinstance(count, int) and count >= 0 for count in cells.values()):
        raise ToolError("Yosys' stat has no design with num_cells_by_type")
    unknown = sorted(cells.keys() - LUTS.keys() - {FLIP_FLOP, BLOCK_RAM, MULTIPLIER})
    if unknown:
        raise ToolError(f"Yosys' stat has cells of unknown size: {', '.join(unknown)}")
    luts = sum(size * cells.get(cell, 0) for cell, size in LUTS.items())
    return Area(luts, cells.get(FLIP_FLOP, 0), cells.get(BLOCK_RAM, 0), cells.get(MULTIPLIER, 0))
