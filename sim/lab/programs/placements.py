# SPDX-License-Identifier: Apache-2.0
"""Reads placements.yaml, whose first lines say what its fields are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import tables

HERE = Path(__file__).resolve().parent
GUEST_MEMORY = 0x8000_0000
"""Physical address of the guest's first byte of memory."""
COLOURS_FILE = "/sys/kernel/mm/page_colour/colours"
NODES_FILE = "/sys/devices/system/node/online"
MOST_NODES = 4
"""That qemu.py makes."""
MASK = re.compile("(?<=[:+])[0-9a-f]+")
NODES = re.compile("[0-9a-f]+(\\+[0-9a-f]+)*")
_DIMENSION = "(channel|rank|bank):[0-9a-f]+(\\+[0-9a-f]+)*"
MAP = re.compile(f"{_DIMENSION}(,{_DIMENSION})*")


@dataclass(frozen=True)
class Placement:
    """`colours` is None where the kernel has no map; `node_bits` are the address bits that tell a node's number, the
    lowest first, none where there is one node."""

    name: str
    colours: str | None
    node_bits: list[int]
    setup: list[str]
    memory: int

    @property
    def nodes(self) -> int:
        """How many equal parts the guest's memory has."""
        return 1 << len(self.node_bits)

    def exchanged(self, mebibytes: int) -> list[tuple[int, int]]:
        """Pairs of address bits that are exchanged in what is captured of a guest with so much memory, a power of two
        up to 2048: the highest of its memory, and those that tell the rank."""
        highest = mebibytes.bit_length() - 1 + 20
        return [(highest - len(self.node_bits) + at, bit) for at, bit in enumerate(self.node_bits)]

    def kernel_parameter(self, mebibytes: int) -> str:
        """For a guest with so much memory; empty where there is none."""
        return "" if self.colours is None else f"page_colour={mebibytes}M@{GUEST_MEMORY:#x},{self.colours}"

    def script(self) -> list[str]:
        """Lines of shell that set the placement up, and end the run where one fails."""
        must = []
        if self.colours is not None:
            colours = 1 << len(MASK.findall(self.colours))
            must.append((COLOURS_FILE, str(colours), f"the kernel has no map of {colours} colours"))
        if self.nodes > 1:
            must.append((NODES_FILE, f"0-{self.nodes - 1}", f"the kernel has not {self.nodes} nodes"))
        if not must and not self.setup:
            return []
        checks = [f'[ "$(cat {file})" = {text} ] || {{ echo "{message}"; exit 1; }}' for file, text, message in must]
        return ["set -e", *checks, *self.setup, "cd /", "set +e"]


def load(path: Path = HERE / "placements.yaml") -> dict[str, Placement]:
    """{name: placement} of a file. Raises TableError."""
    return tables.load(path, "placements", _placement)


def _placement(where: str, name: str, read: object) -> Placement:
    given = tables.fields(where, read, {"colours": str, "nodes": str, "setup": list, "memory": int})
    tables.strings(f"{where}.setup", given["setup"])
    colours = None if given["colours"] == "none" else given["colours"]
    if colours is not None and not MAP.fullmatch(colours):
        raise tables.TableError(
            f"{where}.colours: {colours!r} must be none, or DIMENSION:MASK+MASK... with commas between, of channel,"
            " rank and bank, masks in hexadecimal"
        )
    return Placement(name, colours, _node_bits(f"{where}.nodes", given["nodes"]), given["setup"], given["memory"])


def _node_bits(where: str, text: str) -> list[int]:
    masks = [] if text == "none" else [int(mask, 16) for mask in text.split("+")] if NODES.fullmatch(text) else [0]
    if any(mask.bit_count() != 1 for mask in masks) or len(set(masks)) != len(masks) or 1 << len(masks) > MOST_NODES:
        raise tables.TableError(
            f"{where}: {text!r} must be none, or MASK+MASK..., each of another bit, in hexadecimal, for at most"
            f" {MOST_NODES} nodes"
        )
    return [mask.bit_length() - 1 for mask in masks]
