# SPDX-License-Identifier: Apache-2.0
"""What there is to be reached, as an engineer names it: signals of a module, and branches by their line of Scala. The
same signal or branch in several configs, and in copies of a module, is one item."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from locators import Place, Verilog
from points import Point

MEMORY = re.compile(r".*_\d+x\d+|BlockRam_\w+")  # modules that firtool or Weir makes of memories: they hold no logic


@dataclass(frozen=True)
class Key:
    """What names an item.

    Attributes:
        file: below hw/src/weir, as `channel/Bank.scala`
        kind: `toggle` or `branch`
        name: `Module.signal`, or the text of the line of Scala
    """

    file: str
    kind: str
    name: str

    @property
    def room(self) -> str:
        return self.file.partition("/")[0] if "/" in self.file else "weir"


@dataclass
class Item:
    """How often the parts of an item were reached: edges of bits of a signal, sides of a branch.

    Attributes:
        line: in the Scala file
    """

    line: int
    parts: Counter[str] = field(default_factory=Counter)

    @property
    def unreached(self) -> list[str]:
        return [part for part, count in self.parts.items() if count == 0]


class Items(dict[Key, Item]):
    """All items of all configs."""

    def __init__(self, root: Path):
        """Args: root: the repository, whose Scala sources name the branches"""
        super().__init__()
        self._root = root
        self._texts: dict[str, list[str]] = {}

    def add(self, points: Iterable[Point], verilog: dict[str, Verilog]) -> None:
        """Adds the counts of a simulation; `verilog` are Weir's files, points in others are left out."""
        for point in points:
            source = verilog.get(Path(point.verilog).name)
            if source is None or MEMORY.fullmatch(point.module):
                continue
            find = source.declared if point.toggle else source.decided
            if place := find(point.module, point.line):
                self._add(point, place)

    def _add(self, point: Point, place: Place) -> None:
        file = place.file.removeprefix("hw/src/weir/")
        if point.toggle:
            signal, part = re.fullmatch(r"([^\[:]+)(.*)", point.name).groups()
            module = re.sub(r"_\d+$", "", point.module)
            key, part = Key(file, "toggle", f"{module}.{signal}"), part.lstrip(":")
        else:
            key, part = Key(file, "branch", self._text(place)), {"elsif": "if"}.get(point.name, point.name)
        item = self.setdefault(key, Item(place.line))
        item.parts[part] += point.count

    def _text(self, place: Place) -> str:
        """The line of Scala; ValueError where the file has no such line."""
        if place.file not in self._texts:
            self._texts[place.file] = (self._root / place.file).read_text(encoding="utf-8").splitlines()
        lines = self._texts[place.file]
        if place.line > len(lines):
            raise ValueError(
                f"{place.file} has {len(lines)} lines, but the Verilog names line {place.line}: it is older; "
                "simulate again"
            )
        return lines[place.line - 1].strip()
