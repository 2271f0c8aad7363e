# SPDX-License-Identifier: Apache-2.0
"""What the generator and PeakRDL write is the same text wherever the clone lies, so that caches know it again."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DESIGN = ROOT / "build" / "hw" / "soc-64"

LOCATOR = re.compile(r"// .*?([^\s,]+\.scala):")


@pytest.mark.parametrize("name", ["Weir.sv", "Weir.rdl", "Weir.json", "weir.h", "python", "html"])
def test_no_file_names_the_clones_folder(name):
    path = DESIGN / name
    # what Python keeps of modules that were imported is not generated
    files = [
        file for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file() and file.suffix != ".pyc"
    ]
    assert files
    assert [file for file in files if str(ROOT).encode() in file.read_bytes()] == []


def test_source_locators_begin_at_the_root():
    """Those of Weir; the few of the Chisel library are paths of its own."""
    places = set(LOCATOR.findall((DESIGN / "Weir.sv").read_text()))
    own = {place for place in places if "/weir/" in place}
    assert len(own) > 20
    assert {place for place in own if not place.startswith("hw/src/weir/")} == set()
    assert all((ROOT / place).is_file() for place in own)
