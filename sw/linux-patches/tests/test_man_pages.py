# SPDX-License-Identifier: Apache-2.0
"""The text for man-pages, as groff's macros for manual pages see it."""

import subprocess
from pathlib import Path

import pytest

PAGES = sorted(Path(__file__).parents[1].glob("man-pages/*"))


def objections(text):
    """What groff says of a page, all warnings on."""
    groff = ["groff", "-man", "-Tutf8", "-ww", "-z", "-rLL=78n"]
    return subprocess.run(groff, input=text, stderr=subprocess.PIPE, text=True, check=True).stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_right(page):
    text = page.read_text()
    assert objections(text) == ""
    name, section = page.stem, page.suffix[1:]
    assert f".TH {name} {section} " in text
    sections = [line for line in text.splitlines() if line.startswith(".SH ")]
    assert sections[0] == ".SH NAME" and sections[-1] == ".SH SEE ALSO"


@pytest.mark.parametrize("wrong", [".XY page", r"\*[none]"])
def test_a_page_that_is_wrong_is_found(wrong):
    (page,) = PAGES
    assert objections(page.read_text().replace(".SH ERRORS", f"{wrong}\n.SH ERRORS")) != ""
