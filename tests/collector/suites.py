# SPDX-License-Identifier: Apache-2.0
"""The tables of suites, suites.toml and rooms.toml."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path


class UnknownError(Exception):
    """A name that no suite or room has."""


@dataclass(frozen=True)
class Suite:
    """One row of a table; the head of that file says what each field means."""

    name: str
    build: str
    command: str
    reports: str
    minutes: float
    limit: float
    cores: int


def load(table: Path) -> list[Suite]:
    """Read the table, longest suite first.

    Raises ValueError, naming the row and the field, for a field that is absent, unknown or out of its range, and for a
    name that occurs twice.
    """
    suites = []
    for number, row in enumerate(tomllib.loads(table.read_text()).get("suite", []), start=1):
        place = f"{table}, suite {row.get('name', number)}"
        if wrong := {field.name for field in fields(Suite)} ^ row.keys():
            raise ValueError(f"{place}: absent or unknown: {', '.join(sorted(wrong))}")
        suite = Suite(**row)
        if suite.cores not in (1, 2):
            raise ValueError(f"{place}: cores is {suite.cores}, not 1 or 2")
        for field in ("minutes", "limit"):
            if not getattr(suite, field) > 0:
                raise ValueError(f"{place}: {field} is {getattr(suite, field)}, not above 0")
        if not suite.reports.startswith("build/"):
            raise ValueError(f"{place}: reports is {suite.reports}, not under build/")
        if suite.name in (other.name for other in suites):
            raise ValueError(f"{place}: the name occurs twice")
        suites.append(suite)
    return sorted(suites, key=lambda suite: -suite.minutes)


def named(table: list[Suite], names: list[str]) -> list[Suite]:
    """The suites of these names, in the table's order; raises UnknownError."""
    known = [suite.name for suite in table]
    if unknown := set(names) - set(known):
        raise UnknownError(f"no suite named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return [suite for suite in table if suite.name in names]


def of_room(rooms: list[Suite], name: str) -> list[Suite]:
    """The rooms whose folder is `name` or ends in it, as hw/observe ends in observe; raises UnknownError."""
    found = [room for room in rooms if room.name == name or room.name.endswith(f"/{name}")]
    if not found:
        raise UnknownError(f"no room named '{name}' with tests; there are {', '.join(sorted(r.name for r in rooms))}")
    return found
