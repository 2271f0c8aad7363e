# SPDX-License-Identifier: Apache-2.0
"""Bits of storage of a design's instances, counted in the Verilog that the generator writes.

usage: storage.py Weir.sv INSTANCE...     INSTANCE: as in place.monitor.pages; prints a line for each
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tools import ToolError


@dataclass(frozen=True)
class Storage:
    """Bits of memories, block RAM or distributed, and of registers, with those of the instances inside. The register
    behind a block RAM's read port belongs to the block RAM and is in neither."""

    memory_bits: int
    register_bits: int

    def __add__(self, other: Storage) -> Storage:
        return Storage(self.memory_bits + other.memory_bits, self.register_bits + other.register_bits)


def storage(verilog: str, top: str = "Weir") -> dict[str, Storage]:
    """That of every instance, by its path; `` is the whole design. ToolError where there is no module of that name."""
    bodies = dict(re.findall(r"^module (\w+)\b(.*?)^endmodule", re.sub(r"//.*", "", verilog), re.MULTILINE | re.DOTALL))
    if top not in bodies:
        raise ToolError(f"the Verilog has no module {top}")
    modules = {name: (_own(body), _instances(body, bodies.keys())) for name, body in bodies.items()}
    found: dict[str, Storage] = {}

    def visit(path: str, module: str) -> Storage:
        own, instances = modules[module]
        for name, inner in instances:
            own += visit(f"{path}.{name}".lstrip("."), inner)
        found[path] = own
        return own

    visit("", top)
    return found


def _own(body: str) -> Storage:
    """What the module itself holds. What is declared reg but assigned without delay is no register."""
    delayed = set(re.findall(r"(\w+)(?:\[[^]]*\])?\s*<=", body))
    memory = registers = 0
    declarations = r"^\s*(?:\(\*.*?\*\)\s*)?reg\s+(?:\[(\d+):0\]\s*)?(\w+)\s*(?:\[0:(\d+)\])?;"
    for high, name, last in re.findall(declarations, body, re.MULTILINE):
        bits = int(high or 0) + 1
        if last:
            memory += bits * (int(last) + 1)
        elif name in delayed:
            registers += bits
    return Storage(memory, registers)


def _instances(body: str, modules: set[str]) -> list[tuple[str, str]]:
    found = re.findall(r"^\s+(\w+)\s+(?:#\(.*?\)\s*)?(\w+)\s*\(", body, re.MULTILINE)
    return [(name, module) for module, name in found if module in modules]


def main() -> None:
    path, *instances = sys.argv[1:]
    found = storage(Path(path).read_text())
    for instance in instances:
        if instance not in found:
            raise ToolError(f"{path} has no instance {instance}")
        print(f"{instance}: {found[instance].memory_bits} memory bits, {found[instance].register_bits} register bits")


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"storage.py: {error}")
