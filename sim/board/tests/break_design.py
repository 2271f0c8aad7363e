# SPDX-License-Identifier: Apache-2.0
"""Break the Weir among the sources of a SoC, so that one of its own assertions fails.

usage: break_design.py SOURCES FOLDER     SOURCES lists files for Verilator; FOLDER gets a Weir.sv that is broken and a
                                          sources.f with it in the place of the whole one
"""

import re
import sys
from pathlib import Path

COLUMN = r"\.io_column_valid(\s*)\((?!1'h1\))[^()]*\)"
"""A queue of accesses is told that a column command of it was chosen."""


def main(sources: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listed = sources.read_text().splitlines()
    (whole,) = (path for path in listed if Path(path).name == "Weir.sv")
    text, places = re.subn(COLUMN, r".io_column_valid\1(1'h1)", Path(whole).read_text())
    if not places:
        sys.exit(f"{whole}: no instance has a port io_column_valid to be broken")
    broken = folder.resolve() / "Weir.sv"
    broken.write_text(text)
    (folder / "sources.f").write_text("".join(f"{broken if path == whole else path}\n" for path in listed))


main(*map(Path, sys.argv[1:]))
