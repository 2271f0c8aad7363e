# SPDX-License-Identifier: Apache-2.0
"""Reads programs.yaml, whose first lines say what its fields are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import inputs
import tables

HERE = Path(__file__).resolve().parent
LEAST = dict.fromkeys(inputs.MAKERS, 1) | {"linear_program": 6}
"""Of each kind of input the least size, in its own unit: a column of a linear program has numbers in six rows."""


@dataclass(frozen=True)
class Input:
    kind: str
    size: int
    seed: int

    def bytes(self) -> bytes:
        return inputs.MAKERS[self.kind](self.size, self.seed)


@dataclass(frozen=True)
class Program:
    """`package` is None where it is one of kernels/, whose name `kernel` is; it tells itself from where on to capture,
    so that `skip` is None. `input` is None where it needs none. `threads` are the arguments with which one process
    works on all harts; none where it cannot. `memory_bound` says nothing of how it runs."""

    name: str
    stands_for: str
    package: str | None
    kernel: str | None
    program: str
    opens: list[str]
    arguments: list[str]
    input: Input | None
    skip: int | None
    threads: list[str]
    memory: int
    memory_bound: bool


def load(path: Path = HERE / "programs.yaml") -> dict[str, Program]:
    """{name: program} of a file. Raises TableError."""
    return tables.load(path, "programs", _program)


def _program(where: str, name: str, read: object) -> Program:
    without = isinstance(read, dict) and read.get("input") == "none"
    kernel = isinstance(read, dict) and "kernel" in read
    source = (
        {"kernel": str, "threads": list} if kernel else {"package": str, "program": str, "opens": list, "skip": int}
    )
    kinds = {"arguments": list, "input": str if without else dict, "memory": int, "memory_bound": bool}
    fields = tables.fields(where, read, {"stands_for": str, **source, **kinds})
    for listed in ("arguments", "opens", "threads"):
        tables.strings(f"{where}.{listed}", fields.get(listed, []))
    made = {
        "package": None,
        "kernel": None,
        "opens": [],
        "threads": [],
        "skip": None,
        **fields,
        "input": None if without else _input(where, fields["input"]),
    }
    if kernel:
        if not (HERE / "kernels" / f"{made['kernel']}.c").is_file():
            raise tables.TableError(f"{where}.kernel: {made['kernel']} is none of {HERE / 'kernels'}")
        # not /bin, some of whose files are links to one
        made["program"] = f"/lab/{made['kernel']}"
    return Program(name=name, **made)


def _input(where: str, read: object) -> Input:
    given = tables.fields(f"{where}.input", read, {"kind": str, "size": int, "seed": int})
    if given["kind"] not in inputs.MAKERS:
        raise tables.TableError(f"{where}.input.kind: {given['kind']} must be one of {', '.join(inputs.MAKERS)}")
    if given["size"] < (least := LEAST[given["kind"]]):
        raise tables.TableError(f"{where}.input.size: {given['size']} must be at least {least} of {given['kind']}")
    return Input(**given)
