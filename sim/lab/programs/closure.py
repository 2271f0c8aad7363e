# SPDX-License-Identifier: Apache-2.0
"""The files that a program of a Debian root (setup/debian_root.sh) needs to be started: itself, its libraries, and the
loader of those."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path, PurePosixPath

FOLDERS = ("/lib/riscv64-linux-gnu", "/lib")
"""Where the loader looks for libraries."""


class ClosureError(Exception):
    """A file that is missing or is no program; the message names it."""


def local(root: Path, path: str) -> Path:
    """The file of the root that is `path` in the guest, links followed. Raises ClosureError."""
    found = root / path.lstrip("/")
    for _ in range(8):
        if not found.is_symlink():
            break
        target = found.readlink()
        found = root / str(target).lstrip("/") if target.is_absolute() else found.parent / target
    if not found.is_file():
        raise ClosureError(f"{path}: not in {root}")
    return found


def _wants(path: str, file: Path) -> tuple[list[str], list[str], str | None]:
    """Names of the libraries that a program or library asks for, the folders of its own where the loader looks for them
    first, and the path of its loader. Raises ClosureError."""
    read = subprocess.run(
        ["riscv64-linux-gnu-readelf", "--dynamic", "--program-headers", "--wide", file], capture_output=True, text=True
    )
    if read.returncode != 0:
        raise ClosureError(f"{path}: no ELF file: {read.stderr.strip()}")
    loader = re.search(r"program interpreter: (.*)\]", read.stdout)
    own = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", read.stdout)
    folders = own[1].replace("$ORIGIN", str(PurePosixPath(path).parent)).split(":") if own else []
    return re.findall(r"\(NEEDED\).*\[(.*)\]", read.stdout), folders, loader and loader[1]


def closure(root: Path, *programs: str) -> dict[str, Path]:
    """{path in the guest: file} of all that programs, or libraries, need. Raises ClosureError."""
    found: dict[str, Path] = {}
    left = [*programs]
    while left:
        path = left.pop()
        if path in found:
            continue
        found[path] = local(root, path)
        libraries, folders, loader = _wants(path, found[path])
        left += [loader] if loader else []
        for name in libraries:
            folder = next((each for each in (*folders, *FOLDERS) if (root / each.lstrip("/") / name).exists()), None)
            if folder is None:
                raise ClosureError(f"{path} needs {name}: not in {root}")
            left.append(f"{folder}/{name}")
    return found
