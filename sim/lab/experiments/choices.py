# SPDX-License-Identifier: Apache-2.0
"""Reads machines.yaml and policies.yaml, whose first lines say what their fields are."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "programs"))
import tables  # noqa: E402

SYSTEMS = HERE.parent / "systems"
OF_TRACES = ("cores.count", "memory.base")
"""Fields of a system that no machine has: each run has those of its traces."""


@dataclass(frozen=True)
class Machine:
    """`fields` {name with dots: value} of the file of `system`."""

    name: str
    config: str
    system: Path
    fields: dict[str, object]
    registers: dict[str, int]


@dataclass(frozen=True)
class Policy:
    """`dram` is empty where the DRAM has no features."""

    name: str
    registers: dict[str, int]
    dram: str


def machines(path: Path = HERE / "machines.yaml") -> dict[str, Machine]:
    """{name: machine} of a file. Raises TableError."""
    return tables.load(path, "machines", _machine)


def policies(path: Path = HERE / "policies.yaml") -> dict[str, Policy]:
    """{name: policy} of a file. Raises TableError."""
    return tables.load(path, "policies", _policy)


def _machine(where: str, name: str, read: object) -> Machine:
    given = tables.fields(where, read, {"config": str, "system": str, "fields": dict, "registers": dict})
    system = SYSTEMS / f"{given['system']}.yaml"
    if not system.is_file():
        raise tables.TableError(f"{where}.system: {given['system']} is none of {SYSTEMS}")
    for field in given["fields"]:
        for other in OF_TRACES:
            if f"{other}.".startswith(f"{field}."):
                raise tables.TableError(f"{where}.fields.{field}: must not be given: {other} is as the traces need it")
        for other in given["fields"]:
            if other.startswith(f"{field}."):
                raise tables.TableError(f"{where}.fields.{field}: has {other} in it, which is given too")
    return Machine(name, given["config"], system, given["fields"], _registers(where, given["registers"]))


def _policy(where: str, name: str, read: object) -> Policy:
    given = tables.fields(where, read, {"registers": dict, "dram": str})
    dram = "" if given["dram"] == "none" else given["dram"]
    return Policy(name, _registers(where, given["registers"]), dram)


def _registers(where: str, read: dict) -> dict[str, int]:
    return tables.fields(f"{where}.registers", read, dict.fromkeys(read, int))
