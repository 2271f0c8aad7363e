# SPDX-License-Identifier: Apache-2.0
"""Puts figures that were made on a page that needs no network.

usage: make_site.py FOLDER
Of each FOLDER/NAME.json and NAME.svg (make_figure.py) makes FOLDER/index.html. Exit code 2 for wrong arguments, 1 where
there is no figure, one is damaged, or the page cannot be written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import jinja2

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "experiments"))
import records  # noqa: E402

FIELDS = {
    **dict.fromkeys(("figure", "title", "source", "explanation"), str),
    **dict.fromkeys(("commits", "programs", "compared"), list),
}
"""Of a figure, that the page shows."""


def page(folder: Path) -> str:
    """The text of the page of the figures in a folder. Raises RecordError for one that is damaged or has no picture."""
    figures = []
    for path in sorted(folder.glob("*.json")):
        figures.append({**records.read(path, FIELDS), "picture": _picture(path.with_suffix(".svg"))})
    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("site.html").render(figures=figures)


def _picture(path: Path) -> str:
    """The element of a file of SVG; what stands before it is for a file of its own."""
    text = records.read_text(path)
    if "<svg" not in text:
        raise records.RecordError(f"{path}: has no picture")
    return text[text.index("<svg") :]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the figures are")
    options = parser.parse_args(arguments)
    if not list(options.folder.glob("*.json")):
        print(f"make_site.py: {options.folder} has no figure", file=sys.stderr)
        return 1
    try:
        records.write(options.folder / "index.html", page(options.folder))
    except records.RecordError as error:
        print(f"make_site.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
