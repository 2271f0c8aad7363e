# SPDX-License-Identifier: Apache-2.0
"""Reads placements.yaml, whose first lines say what its fields are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tables

HERE = Path(__file__).resolve().parent
GUEST_MEMORY = 0x8000_0000
"""Physical address of the guest's first byte of memory."""
PAGE_COLOUR = "/sys/kernel/mm/page_colour"


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
        if not self.setup:
            return []
        return [f"cd {PAGE_COLOUR} || exit", *(f"{{ {line}; }} || exit" for line in self.setup), "cd /"]


def load(path: Path = HERE / "placements.yaml") -> dict[str, Placement]:
    """{name: placement} of a file. Raises TableError."""
    return tables.load(path, "placements", _placement)


def _placement(where: str, name: str, read: object) -> Placement:
    given = tables.fields(where, read, {"colours": str, "setup": list, "memory": int})
    tables.strings(f"{where}.setup", given["setup"])
    colours = None if given["colours"] == "none" else given["colours"]
    if colours is None and given["setup"]:
        raise tables.TableError(f"{where}.setup: {given['setup']} needs a map: colours must not be none")
    return Placement(name, colours, given["setup"], given["memory"])
