# SPDX-License-Identifier: Apache-2.0
"""Puts figures that were made on a page that needs no network.

usage: make_site.py FOLDER
Of each FOLDER/NAME.json and NAME.svg (make_figure.py) makes FOLDER/index.html. Exit code 2 for wrong arguments, 1 where
there is no figure.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import jinja2

HERE = Path(__file__).resolve().parent


def page(folder: Path) -> str:
    """The text of the page of the figures in a folder. Raises OSError for one without a picture."""
    figures = []
    for path in sorted(folder.glob("*.json")):
        picture = path.with_suffix(".svg").read_text()
        # what stands before is for a file of its own
        figures.append({**json.loads(path.read_text()), "picture": picture[picture.index("<svg") :]})
    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("site.html").render(figures=figures)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the figures are")
    options = parser.parse_args(arguments)
    if not list(options.folder.glob("*.json")):
        print(f"make_site.py: {options.folder} has no figure", file=sys.stderr)
        return 1
    (options.folder / "index.html").write_text(page(options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
