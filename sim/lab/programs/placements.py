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
PAGE_COLOUR = "/sys/kernel/mm/page_colour"
MASK = re.compile("(?<=[:+])[0-9a-f]+")
_DIMENSION = "(channel|rank|bank):[0-9a-f]+(\\+[0-9a-f]+)*"
MAP = re.compile(f"{_DIMENSION}(,{_DIMENSION})*")


@dataclass(frozen=True)
class Placement:
    """`colours` is None where the kernel has no map."""

    name: str
    colours: str | None
    setup: list[str]
    memory: int

    def kernel_parameter(self, mebibytes: int) -> str:
        """For a guest with so much memory; empty where there is none."""
        return "" if self.colours is None else f"page_colour={mebibytes}M@{GUEST_MEMORY:#x},{self.colours}"

    def script(self) -> list[str]:
        """Lines of shell that set the placement up, and end the run where one fails."""
        if self.colours is None:
            return []
        colours = 1 << len(MASK.findall(self.colours))
        has_map = (
            f'[ "$(cat colours)" = {colours} ] || {{ echo "the kernel has no map of {colours} colours"; exit 1; }}'
        )
        return ["set -e", f"cd {PAGE_COLOUR}", has_map, *self.setup, "cd /", "set +e"]


def load(path: Path = HERE / "placements.yaml") -> dict[str, Placement]:
    """{name: placement} of a file. Raises TableError."""
    return tables.load(path, "placements", _placement)


def _placement(where: str, name: str, read: object) -> Placement:
    given = tables.fields(where, read, {"colours": str, "setup": list, "memory": int})
    tables.strings(f"{where}.setup", given["setup"])
    colours = None if given["colours"] == "none" else given["colours"]
    if colours is not None and not MAP.fullmatch(colours):
        raise tables.TableError(
            f"{where}.colours: {colours!r} must be none, or DIMENSION:MASK+MASK... with commas between, of channel,"
            " rank and bank, masks in hexadecimal"
        )
    if colours is None and given["setup"]:
        raise tables.TableError(f"{where}.setup: {given['setup']} needs a map: colours must not be none")
    return Placement(name, colours, given["setup"], given["memory"])
