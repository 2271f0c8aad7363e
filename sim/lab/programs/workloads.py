# SPDX-License-Identifier: Apache-2.0
"""What runs on the harts of the guest: copies of a program of programs.yaml, one alone, one on all harts, one beside
hostile ones."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import programs
import tables

COPIES = 8
HOSTILE, BESIDE = "stream", 3
"""The program that others are put beside, as many copies of it: it keeps the memory busy, and writes a third."""


@dataclass(frozen=True)
class Workload:
    """`programs` has the one of each hart; `threads` says that it is one process, with a thread on each."""

    name: str
    programs: tuple[programs.Program, ...]
    threads: bool = False

    def groups(self) -> list[tuple[int, programs.Program]]:
        """Programs in the order of their harts, with how many harts in a row have them; 0 for one process on all."""
        if self.threads:
            return [(0, self.programs[0])]
        return [(len(list(harts)), program) for program, harts in groupby(self.programs)]

    @property
    def memory(self) -> int:
        """MiB of the guest that they need."""
        return max(program.memory for program in self.programs)


def alone(program: str) -> str:
    """The workload of one copy."""
    return f"{program}_alone"


def beside(program: str) -> str:
    """The workload of one copy, on hart 0, with hostile ones on the others."""
    return f"{program}_beside_{HOSTILE}"


def threads(program: str) -> str:
    """The workload of one process with a thread on each hart."""
    return f"{program}_threads"


DERIVED = (alone, beside, threads)
"""Workloads whose names a program takes, whether it has them or not."""


def load(copies: int = COPIES, path: Path = programs.HERE / "programs.yaml") -> dict[str, Workload]:
    """{name: workload}; that of a program's own name has so many copies of it. Raises TableError."""
    table = programs.load(path)
    found = []
    for name, program in table.items():
        for taken in (derived(name) for derived in DERIVED):
            if taken in table:
                raise tables.TableError(f"{path}: {taken}: is the name of a workload of {name}: must be another")
        found.append(Workload(name, (program,) * copies))
        found.append(Workload(alone(name), (program,)))
        if program.threads:
            process = dataclasses.replace(program, arguments=program.threads)
            found.append(Workload(threads(name), (process,) * copies, threads=True))
        if HOSTILE in table:
            found.append(Workload(beside(name), (program, *(table[HOSTILE],) * BESIDE)))
    return {workload.name: workload for workload in found}
