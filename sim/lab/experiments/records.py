# SPDX-License-Identifier: Apache-2.0
"""Reads and writes what is recorded of captures, runs and figures: JSON and what is drawn of it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path


class RecordError(Exception):
    """A file that is not there, is damaged or cannot be written; the message, a line, names it and says why."""


def fields(where: str, read: object, kinds: dict[str, type]) -> dict:
    """`read` if it has all fields of `kinds`, each of its kind, numbers not negative; it may have others. Raises
    RecordError, whose message begins with `where`."""
    if not isinstance(read, dict):
        raise RecordError(f"{where}: must have the fields {', '.join(kinds)}")
    for name, kind in kinds.items():
        if name not in read:
            raise RecordError(f"{where}: {name} is missing")
        if type(read[name]) is not kind:
            raise RecordError(f"{where}: {name} must be a {kind.__name__}, not a {type(read[name]).__name__}")
        if kind is int and read[name] < 0:
            raise RecordError(f"{where}: {name} {read[name]}: must be at least 0")
    return read


def read_text(path: Path) -> str:
    """The text of a file. Raises RecordError."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise RecordError(f"{path}: there is none: make it first") from None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: {error}") from None


def read(path: Path, kinds: dict[str, type]) -> dict:
    """The JSON object of a file, with `fields`. Raises RecordError."""
    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: is no JSON: {error}") from None
    return fields(str(path), found, kinds)


@contextlib.contextmanager
def _new(path: Path) -> Iterator[Path]:
    """Where what becomes the file is written, in a folder that is made; nothing is left there. Raises RecordError."""
    new = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield new
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Makes the folder of a file that is to be written. Raises RecordError where it could not be written there."""
    if path.is_dir():
        raise RecordError(f"{path}: cannot be written: it is a folder")
    with _new(path) as new:
        new.touch()


def write(path: Path, text: str) -> None:
    """The whole file or none of it. Raises RecordError."""
    with _new(path) as new:
        new.write_text(text, "utf-8")
        new.replace(path)
