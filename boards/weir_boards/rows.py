# SPDX-License-Identifier: Apache-2.0
"""The file of all boards' figures: an object with `rows`, one for each board, CPU and controller."""

from __future__ import annotations

import json
from pathlib import Path

from litex_weir import whole_files

KEY = ("board", "cpu", "controller", "config")


def put(path: Path, row: dict) -> None:
    """Put a row into the file, in the place of that of the same board, CPU and controller. ValueError when the file is
    there and not what it must be; it is left as it is then."""
    rows = []
    if path.exists():
        try:
            rows = json.loads(path.read_text())["rows"]
            if not isinstance(rows, list) or not all(isinstance(each, dict) for each in rows):
                raise TypeError(f"rows = {rows!r}")
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: no object with `rows`: {error!r}") from None
    rows = [other for other in rows if any(other.get(name) != row[name] for name in KEY)] + [row]
    rows.sort(key=lambda each: tuple(str(each.get(name)) for name in KEY))
    whole_files.write(path.parent, {path.name: (json.dumps({"rows": rows}, indent=1) + "\n").encode()})
