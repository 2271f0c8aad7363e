# SPDX-License-Identifier: Apache-2.0
"""What each feature of Weir costs in cells of an ECP5: configs of which each has one feature more than the one before.

usage: features.py OUTPUT.json FOLDER CONFIG...   writes an object with `rows`, one for each config, in this order, of
                                                  what Yosys counted (FOLDER/CONFIG/stat.json)
       features.py --table FEATURES.json          prints them as a table
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cells import area
from tools import ToolError, read

CELLS = ("lut", "ff", "ebr", "dsp")
PREFIX = "features-"


def rows(folder: Path, configs: list[str]) -> list[dict]:
    """`lut` are LUT equivalents (cells.py); with `_more`, above the config before. ToolError for a config of another
    name, or that was not synthesised."""
    found: list[dict] = []
    for config in configs:
        if not config.startswith(PREFIX):
            raise ToolError(f"config '{config}' is not {PREFIX}FEATURE")
        counted = area(read(folder / config / "stat.json"))
        used = dict(zip(CELLS, (counted.lut_equivalents, counted.ff, counted.ebr, counted.dsp), strict=True))
        before = found[-1] if found else used
        more = {f"{cell}_more": used[cell] - before[cell] for cell in CELLS}
        found.append({"feature": config.removeprefix(PREFIX), "config": config, **used, **more})
    return found


def table(found: list[dict]) -> str:
    """For people and docs, in Markdown."""
    lines = ["| feature | LUT | more | FF | more | EBR | more | DSP | more |", "|---|---|---|---|---|---|---|---|---|"]
    for number, row in enumerate(found):
        cells = [(str(row[cell]), f"{row[f'{cell}_more']:+}" if number else "") for cell in CELLS]
        lines.append("| " + " | ".join([f"`{row['feature']}`", *(text for pair in cells for text in pair)]) + " |")
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1] == "--table":
        path = Path(sys.argv[2])
        try:
            print(table(read(path)["rows"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ToolError(f"{path}: not what features.py writes: {error!r}") from None
    else:
        output, folder, *configs = sys.argv[1:]
        found = rows(Path(folder), configs)
        Path(output).write_text(json.dumps({"rows": found}, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except ToolError as error:
        sys.exit(f"features.py: {error}")
