# SPDX-License-Identifier: Apache-2.0
"""Writes each workload of programs.yaml and each placement of placements.yaml as a file: an edit of one makes no trace
of another old.

usage: entries.py FOLDER
Writes FOLDER/workloads/NAME.json and FOLDER/placements/NAME.json; a file that would be the same keeps its time. Exit
code 2 for wrong arguments, 1 for a wrong entry.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

import placements
import tables
import workloads


def _of_captures(fields: list[tuple[str, object]]) -> dict:
    """The fields of an entry that have an effect on a capture."""
    return {name: value for name, value in fields if name != "memory_bound"}


def write(folder: Path, entries: dict) -> None:
    """A file of each, and none of what is no entry any more."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.stem for path in folder.glob("*.json")} - entries.keys():
        (folder / f"{stale}.json").unlink()
    for name, entry in entries.items():
        text = json.dumps(dataclasses.asdict(entry, dict_factory=_of_captures), indent=1) + "\n"
        path = folder / f"{name}.json"
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files go")
    options = parser.parse_args()
    try:
        known = {"workloads": workloads.load(), "placements": placements.load()}
    except tables.TableError as error:
        print(f"entries.py: {error}", file=sys.stderr)
        return 1
    for name, entries in known.items():
        write(options.folder / name, entries)
    return 0


if __name__ == "__main__":
    sys.exit(main())
