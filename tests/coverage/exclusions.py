# SPDX-License-Identifier: Apache-2.0
"""The list of what is not reached, and why: unreached.toml."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from items import Items, Key

KEYS = {"file", "kind", "name", "parts", "reason"}


@dataclass(frozen=True)
class Entry:
    """Parts of items that nothing reaches.

    Attributes:
        file: glob of files below hw/src/weir
        kind: `toggle` or `branch`
        name: regular expression of names of items
        parts: regular expression of parts
        reason: why they are not reached
    """

    file: str
    kind: str
    name: str
    parts: str
    reason: str

    def holds(self, key: Key, part: str) -> bool:
        return (
            key.kind == self.kind
            and fnmatchcase(key.file, self.file)
            and re.fullmatch(self.name, key.name) is not None
            and re.fullmatch(self.parts, part) is not None
        )


def load(path: Path) -> list[Entry]:
    """The entries of a file.

    Raises:
        ValueError: naming the file, the entry and what is wrong with it
    """
    entries = []
    for number, fields in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("unreached", []), start=1):
        where = f"{path}: entry {number}"
        if unknown := fields.keys() - KEYS:
            raise ValueError(f"{where} has {', '.join(sorted(unknown))}: known are {', '.join(sorted(KEYS))}")
        if missing := KEYS - {"parts"} - fields.keys():
            raise ValueError(f"{where} has no {', '.join(sorted(missing))}")
        if fields["kind"] not in ("toggle", "branch"):
            raise ValueError(f"{where}: kind = {fields['kind']!r}: must be 'toggle' or 'branch'")
        if not fields["reason"].strip():
            raise ValueError(f"{where}: its reason is empty")
        for expression in (fields["name"], fields.setdefault("parts", ".*")):
            try:
                re.compile(expression)
            except re.error as error:
                raise ValueError(f"{where}: {expression!r} is no regular expression: {error}") from None
        entries.append(Entry(**fields))
    return entries


@dataclass
class Judgement:
    """What the list says of what was reached.

    Attributes:
        unlisted: parts that are not reached and not listed, by item
        listed: how many parts that are not reached each entry names; the first that names a part counts
        idle: entries that name nothing that is not reached, and whether they name what is reached
    """

    unlisted: dict[Key, list[str]]
    listed: list[tuple[Entry, int]]
    idle: list[tuple[Entry, bool]]


def judge(items: Items, entries: list[Entry]) -> Judgement:
    """Compares what was reached with the list."""
    counts = dict.fromkeys(entries, 0)
    needed: set[Entry] = set()
    known: set[Entry] = set()
    unlisted: dict[Key, list[str]] = {}
    for key, part, reached in _parts(items):
        naming = [entry for entry in entries if entry.holds(key, part)]
        known.update(naming)
        if reached:
            continue
        needed.update(naming)
        if naming:
            counts[naming[0]] += 1
        else:
            unlisted.setdefault(key, []).append(part)
    idle = [(entry, entry in known) for entry in entries if entry not in needed]
    return Judgement(unlisted, [(entry, count) for entry, count in counts.items() if count], idle)


def _parts(items: Items) -> Iterator[tuple[Key, str, bool]]:
    for key, item in items.items():
        for part, count in item.parts.items():
            yield key, part, count > 0
