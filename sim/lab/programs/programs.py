# SPDX-License-Identifier: Apache-2.0
"""Reads programs.yaml, whose first lines say what its fields are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import inputs
import yaml

HERE = Path(__file__).resolve().parent


class ProgramError(Exception):
    """A field that is missing, unknown or wrong; the message names the file, the program, the field and its value."""


@dataclass(frozen=True)
class Input:
    kind: str
    size: int
    seed: int

    def bytes(self) -> bytes:
        return inputs.MAKERS[self.kind](self.size, self.seed)


@dataclass(frozen=True)
class Program:
    """`package` is None where it is one of kernels/, whose name `kernel` is; `input` is None where it needs none."""

    name: str
    stands_for: str
    package: str | None
    kernel: str | None
    program: str
    arguments: list[str]
    input: Input | None
    skip: int
    memory: int


def load(path: Path = HERE / "programs.yaml") -> dict[str, Program]:
    """{name: program} of a file. Raises ProgramError."""
    try:
        read = yaml.safe_load(path.read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ProgramError(f"{path}: {error}") from None
    if not isinstance(read, dict):
        raise ProgramError(f"{path}: must be a mapping of names to programs")
    return {name: _program(f"{path}: {name}", str(name), fields) for name, fields in read.items()}


def _fields(where: str, read: object, kinds: dict[str, type]) -> dict:
    if not isinstance(read, dict):
        raise ProgramError(f"{where}: {read!r} must have the fields {', '.join(kinds)}")
    for name in read:
        if name not in kinds:
            raise ProgramError(f"{where}.{name}: no such field; there are {', '.join(kinds)}")
    for name, kind in kinds.items():
        if name not in read:
            raise ProgramError(f"{where}.{name}: missing")
        if not isinstance(read[name], kind) or isinstance(read[name], bool):
            raise ProgramError(f"{where}.{name}: {read[name]!r} must be a {kind.__name__}")
        if kind is int and read[name] < 0:
            raise ProgramError(f"{where}.{name}: {read[name]} must be at least 0")
    return read


def _program(where: str, name: str, read: object) -> Program:
    without = isinstance(read, dict) and read.get("input") == "none"
    kernel = isinstance(read, dict) and "kernel" in read
    source = {"kernel": str} if kernel else {"package": str, "program": str}
    kinds = {"arguments": list, "input": str if without else dict, "skip": int, "memory": int}
    fields = _fields(where, read, {"stands_for": str, **source, **kinds})
    if not all(isinstance(argument, str) for argument in fields["arguments"]):
        raise ProgramError(f"{where}.arguments: {fields['arguments']} must be strings")
    made = {"package": None, "kernel": None, **fields, "input": None if without else _input(where, fields["input"])}
    if kernel:
        if not (HERE / "kernels" / f"{made['kernel']}.c").is_file():
            raise ProgramError(f"{where}.kernel: {made['kernel']} is none of {HERE / 'kernels'}")
        made["program"] = f"/bin/{made['kernel']}"
    return Program(name=name, **made)


def _input(where: str, read: object) -> Input:
    given = _fields(f"{where}.input", read, {"kind": str, "size": int, "seed": int})
    if given["kind"] not in inputs.MAKERS:
        raise ProgramError(f"{where}.input.kind: {given['kind']} must be one of {', '.join(inputs.MAKERS)}")
    return Input(**given)
