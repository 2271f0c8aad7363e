# SPDX-License-Identifier: Apache-2.0
"""Reads the lab's tables: YAML files that map names to entries with fields."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import yaml

Entry = TypeVar("Entry")

NAME = re.compile("[a-z][a-z0-9_]*")
"""What an entry may be called: its name is one of files, of Snakemake's wildcards and of make's rules."""


class TableError(Exception):
    """A field that is missing, unknown or wrong; the message names the file, the entry, the field and its value."""


def load(path: Path, what: str, entry: Callable[[str, str, object], Entry]) -> dict[str, Entry]:
    """{name: `entry(where, name, fields)`} of a file of `what`; `where` begins a complaint. Raises TableError."""
    read = read_yaml(path)
    if not isinstance(read, dict):
        raise TableError(f"{path}: must be a mapping of names to {what}")
    for name in read:
        if not NAME.fullmatch(name):
            raise TableError(f"{path}: {name!r}: the name must match {NAME.pattern}")
    return {name: entry(f"{path}: {name}", name, fields) for name, fields in read.items()}


def read_yaml(path: Path) -> object:
    """What a YAML file has. Raises TableError where it is no YAML, or where a name in it is no string or is there
    twice; one that a mapping has beside that of what it merges (`<<`) is not."""
    try:
        loader = yaml.SafeLoader(path.read_text("utf-8"))
        node = loader.get_single_node()
        _check_names(path, [], node, set())
        return None if node is None else loader.construct_document(node)
    except RecursionError:
        raise TableError(f"{path}: is nested too deep") from None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise TableError(f"{path}: {error}") from None


def _check_names(path: Path, within: list[str], node: yaml.Node | None, checked: set[yaml.Node]) -> None:
    """Of all mappings of a node, which lies within the fields of these names; `checked` are nodes that need it no
    more."""
    if node in checked or not isinstance(node, yaml.CollectionNode):
        return
    checked.add(node)
    if isinstance(node, yaml.SequenceNode):
        for each in node.value:
            _check_names(path, within, each, checked)
        return
    names = set()
    for key, value in node.value:
        place = f"{path}:{key.start_mark.line + 1}"
        if key.tag not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"):
            wrong = key.value if isinstance(key, yaml.ScalarNode) else f"a {key.id}"
            raise TableError(f"{place}: {'.'.join([*within, wrong])}: the name must be a string")
        full = [*within, key.value]
        if key.value in names:
            raise TableError(f"{place}: {'.'.join(full)}: is there twice")
        names.add(key.value)
        _check_names(path, full, value, checked)


def fields(where: str, read: object, kinds: dict[str, type]) -> dict:
    """`read` if it has all fields of `kinds` and no other, each of its kind, numbers not negative."""
    if not isinstance(read, dict):
        raise TableError(f"{where}: {reprlib.repr(read)} must have the fields {', '.join(kinds)}")
    for name in read:
        if name not in kinds:
            raise TableError(f"{where}.{name}: no such field; there are {', '.join(kinds)}")
    for name, kind in kinds.items():
        if name not in read:
            raise TableError(f"{where}.{name}: missing")
        if not isinstance(read[name], kind) or isinstance(read[name], bool) != (kind is bool):
            raise TableError(f"{where}.{name}: {reprlib.repr(read[name])} must be a {kind.__name__}")
        if kind is int and read[name] < 0:
            raise TableError(f"{where}.{name}: {read[name]} must be at least 0")
    return read


def strings(where: str, read: list) -> list[str]:
    """`read` if it has strings alone."""
    if not all(isinstance(each, str) for each in read):
        raise TableError(f"{where}: {read} must be strings")
    return read
