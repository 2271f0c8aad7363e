# SPDX-License-Identifier: Apache-2.0
"""Says which labs figures need: build/lab/CONFIG/lab, a line each.

usage: labs.py [NAME,...]      (default: all figures)
Exit code 2 for a name that is none, or a table that is wrong.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import known

sys.path += [str(Path(__file__).resolve().parents[1] / room) for room in ("experiments", "programs")]
import choices
import tables


def main(arguments: list[str] | None = None) -> int:
    try:
        figures, machines = known.figures(), choices.machines()
    except tables.TableError as error:
        print(f"labs.py: {error}", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="?", default=",".join(figures), help="with commas between (default: all)")
    options = parser.parse_args(arguments)
    configs = set()
    for name in options.names.split(","):
        if name not in figures:
            parser.error(f"{name}: no such figure; there are {', '.join(figures)}")
        configs |= {machines[setting.machine].config for setting in figures[name].settings()}
    print("\n".join(f"build/lab/{config}/lab" for config in sorted(configs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
