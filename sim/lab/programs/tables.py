# SPDX-License-Identifier: Apache-2.0
"""Reads the lab's tables: YAML files that map names to entries with fields."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import yaml

Entry = TypeVar("Entry")


class TableError(Exception):
    """A field that is missing, unknown or wrong; the message names the file, the entry, the field and its value."""


def load(path: Path, what: str, entry: Callable[[str, str, object], Entry]) -> dict[str, Entry]:
    """{name: `entry(where, name, fields)`} of a file of `what`; `where` begins a complaint. Raises TableError."""
    try:
        read = yaml.safe_load(path.read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TableError(f"{path}: {error}") from None
    if not isinstance(read, dict):
        raise TableError(f"{path}: must be a mapping of names to {what}")
    return {str(name): entry(f"{path}: {name}", str(name), fields) for name, fields in read.items()}


def fields(where: str, read: object, kinds: dict[str, type]) -> dict:
    """`read` if it has all fields of `kinds` and no other, each of its kind, numbers not negative."""
    if not isinstance(read, dict):
        raise TableError(f"{where}: {read!r} must have the fields {', '.join(kinds)}")
    for name in read:
        if name not in kinds:
            raise TableError(f"{where}.{name}: no such field; there are {', '.join(kinds)}")
    for name, kind in kinds.items():
        if name not in read:
            raise TableError(f"{where}.{name}: missing")
        if not isinstance(read[name], kind) or isinstance(read[name], bool) != (kind is bool):
            raise TableError(f"{where}.{name}: {read[name]!r} must be a {kind.__name__}")
        if kind is int and read[name] < 0:
            raise TableError(f"{where}.{name}: {read[name]} must be at least 0")
    return read


def strings(where: str, read: list) -> list[str]:
    """`read` if it has strings alone."""
    if not all(isinstance(each, str) for each in read):
        raise TableError(f"{where}: {read} must be strings")
    return read
