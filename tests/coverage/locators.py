# SPDX-License-Identifier: Apache-2.0
"""From lines of the Verilog that firtool wrote to the lines of Scala that its comments name."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

SOURCES = "hw/src/"  # all before it is the machine's


@dataclass(frozen=True)
class Place:
    """A line of a Scala file, named from the repository's root; of a library, by its own path."""

    file: str
    line: int

    @property
    def own(self) -> bool:
        return self.file.startswith(SOURCES)


class Verilog:
    """One file of firtool's."""

    def __init__(self, path: Path):
        self._places: list[tuple[int, list[Place]]] = []  # Verilog line and what its comment names
        self._headers: dict[str, Place] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code, _, comment = line.partition("\t// ")
            if places := _places(comment):
                self._places.append((number, places))
                if header := re.match(r"module (\w+)", code):
                    self._headers[header[1]] = places[0]

    def declared(self, module: str, line: int) -> Place | None:
        """Where what a Verilog line declares is declared in Scala; what a library declares counts for its module."""
        return next((place for place in self._at(line) if place.own), self._header(module))

    def decided(self, module: str, line: int) -> Place | None:
        """Where the branch of a Verilog line is in Scala: the comment names all lines that the condition came from, in
        order, the branch itself last."""
        header = self._header(module)
        own = [place for place in self._at(line) if header and place.file == header.file]
        return own[-1] if own else header

    def _header(self, module: str) -> Place | None:
        """Where a module is, if it is Weir's."""
        place = self._headers.get(module)
        return place if place and place.own else None

    def _at(self, line: int) -> list[Place]:
        """What the comment of the statement names that this line belongs to: it stands at the statement's end."""
        position = bisect_left(self._places, line, key=lambda entry: entry[0])
        return self._places[position][1] if position < len(self._places) else []


def _places(comment: str) -> list[Place]:
    """`a.scala:1:2, :3:{4,5}, b.scala:6:7` as places."""
    places, file = [], ""
    for found in re.finditer(r"([^\s,{}:]*):(\d+):(?:\d+|\{[\d,]+\})", comment):
        file = found[1] or file
        cut = file.find(SOURCES)
        places.append(Place(file[cut:] if cut >= 0 else file, int(found[2])))
    return places
