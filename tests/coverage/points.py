# SPDX-License-Identifier: Apache-2.0
"""Reads what Verilator's coverage counted: a file coverage.dat of a simulation."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Point:
    """Something that a simulation can reach, and how often it did.

    Attributes:
        verilog: file in which it is
        line: line there, from 1
        module: name of the Verilog module
        toggle: whether it is an edge of a signal, else a branch or block of statements
        name: of a toggle `signal[bit]:0->1`, of a branch `if`, `else` and the like
        count: how often it was reached
    """

    verilog: str
    line: int
    module: str
    toggle: bool
    name: str
    count: int


def read(path: Path) -> Iterator[Point]:
    """The points of a file.

    Raises:
        ValueError: naming the file and the line that is not as Verilator writes it
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].startswith("# SystemC::Coverage-3"):
        raise ValueError(f"{path}: does not begin with '# SystemC::Coverage-3', so it is no coverage of Verilator's")
    for number, line in enumerate(lines[1:], start=2):
        try:
            yield _point(line)
        except (KeyError, ValueError):
            raise ValueError(f"{path}:{number}: is no coverage point: {line!r}") from None


def _point(line: str) -> Point:
    start, keys, count = line.split("'")
    if start != "C ":
        raise ValueError
    fields = dict(item.split("\x02", 1) for item in keys.split("\x01") if item)
    kind, module = fields["page"].removeprefix("v_").split("/", 1)
    return Point(fields["f"], int(fields["l"]), module.split("__")[0], kind == "toggle", fields["o"], int(count))
