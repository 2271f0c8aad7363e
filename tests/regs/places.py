#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where software finds registers, their fields and the counters, and whether that is where it has been promised them.

    tests/regs/places.py RDL...     adds to released.toml what the register maps RDL have and it has not

With that, what a version brings is released: it never moves, and what goes leaves its place unused. Where something has
moved, that is told, and nothing is written.

Exit code: 1 where something has moved, 2 for a file that cannot be read.
"""

import argparse
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.node import AddrmapNode, RegfileNode, RegNode

RELEASED = Path(__file__).with_name("released.toml")

KINDS = {
    "registers": "byte offset",
    "fields": "lowest bit",
    "blocks": "byte offset of the first place, bytes from one place to the next",
    "words": "byte offset in a place",
}
"""What has a place, and what its place is."""

Places = dict[str, dict[str, int | list[int]]]
"""Of each kind, places by name."""


def of_map(top: AddrmapNode) -> Places:
    """The places of a register map, of blocks that have many places once. A counter is named without `_low`."""
    places: Places = {kind: {} for kind in KINDS}
    for node in top.children():
        if isinstance(node, RegNode):
            places["registers"][node.inst_name] = node.raw_address_offset
            for field in node.fields():
                # bit n of a mask is of address bit n, and those of a line's bytes are left out
                if not node.inst_name.startswith("mask_"):
                    places["fields"][f"{node.inst_name}.{field.inst_name}"] = field.low
        elif isinstance(node, RegfileNode):
            step = node.array_stride if node.is_array else 0
            places["blocks"][node.inst_name] = [node.raw_address_offset, step]
            for word in node.registers():
                if word.inst_name.endswith("_low"):
                    name = f"{node.inst_name}.{word.inst_name.removesuffix('_low')}"
                    places["words"][name] = word.raw_address_offset
    return places


def compiled(rdl: Path) -> AddrmapNode:
    """The register map in a file. RDLCompileError where it is none."""
    compiler = RDLCompiler()
    compiler.compile_file(str(rdl))
    return compiler.elaborate().top


def released() -> Places:
    """What has been promised."""
    return {kind: {} for kind in KINDS} | tomllib.loads(RELEASED.read_text())


def moved(promised: Places, found: Places) -> list[str]:
    """What of `found` is elsewhere than promised, and what is where another was promised; a block of one place has no
    spacing, which is not compared."""
    complaints = []
    for kind in KINDS:
        holders = defaultdict(set)
        for name, place in promised[kind].items():
            holders[_holding(kind, name, place)].add(name)
        for name, place in found[kind].items():
            at = promised[kind].get(name)
            if at is None:
                for other in holders[_holding(kind, name, place)]:
                    complaints.append(f"{kind}: {name} is at {_shown(place)}, which is the place of {other}")
            elif at != place and not (kind == "blocks" and at[0] == place[0] and 0 in (at[1], place[1])):
                complaints.append(f"{kind}: {name} is at {_shown(place)}, not at {_shown(at)}")
    return complaints


def _holding(kind: str, name: str, place: int | list[int]) -> tuple:
    """What only one name may have: a place in its register or block."""
    inside = name.split(".")[0] if kind in ("fields", "words") else ""
    return inside, place[0] if isinstance(place, list) else place


def _shown(place: int | list[int]) -> str:
    return f"{place:#x}" if isinstance(place, int) else f"{place[0]:#x} += {place[1]:#x}"


def joined(one: Places, other: Places) -> Places:
    """Both, of blocks the spacing that one of them has."""
    both: Places = {}
    for kind in KINDS:
        both[kind] = dict(one[kind])
        for name, place in other[kind].items():
            if name not in both[kind] or (kind == "blocks" and both[kind][name][1] == 0):
                both[kind][name] = place
    return both


def text(places: Places) -> str:
    """The file of what is released."""
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# Where software has been promised registers, fields and counters. Nothing here ever moves, and no place is",
        "# given anew: places.py adds what a version brings, test_places.py compares.",
    ]
    for kind, meaning in KINDS.items():
        lines += ["", f"[{kind}]  # {meaning}"]
        ordered = sorted(places[kind].items(), key=lambda item: (_order(places, kind, item), item[0]))
        lines += [f"{_key(name)} = {_value(kind, place)}" for name, place in ordered]
    return "\n".join([*lines, ""])


def _order(places: Places, kind: str, item: tuple) -> tuple:
    name, place = item
    if kind == "fields":
        return places["registers"][name.split(".")[0]], place
    if kind == "words":
        return places["blocks"][name.split(".")[0]], place
    return (place,)


def _key(name: str) -> str:
    return f'"{name}"' if "." in name else name


def _value(kind: str, place: int | list[int]) -> str:
    if isinstance(place, list):
        return f"[{place[0]:#06x}, {place[1]:#x}]"
    return str(place) if kind == "fields" else f"{place:#05x}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Add what register maps have to the released places.")
    parser.add_argument("rdl", nargs="+", type=Path, metavar="RDL", help="a config's register map")
    arguments = parser.parse_args()
    places = released()
    for rdl in arguments.rdl:
        try:
            found = of_map(compiled(rdl))
        except (RDLCompileError, OSError, UnicodeDecodeError) as error:
            print(f"{rdl}: {error}", file=sys.stderr)
            return 2
        if complaints := moved(places, found):
            print("\n".join(f"{rdl}: {complaint}" for complaint in complaints), file=sys.stderr)
            return 1
        places = joined(places, found)
    RELEASED.write_text(text(places))
    return 0


if __name__ == "__main__":
    sys.exit(main())
