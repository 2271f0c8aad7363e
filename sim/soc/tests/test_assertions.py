# SPDX-License-Identifier: Apache-2.0
"""Weir's own assertions are in the simulators of its SoCs. That one which fails ends a boot is shown by sim/board/tests
on the smallest SoC, which is made of the same program with the same options."""

import re
from pathlib import Path

from conftest import on_each

TEXT = re.compile(r'\$error\("(Assertion failed: [^\\"]+)')


@on_each
def test_weirs_assertions_are_in_the_simulator(soc):
    sources = (soc.folder() / "gateware" / "sources.f").read_text().split()
    (design,) = (Path(path) for path in sources if Path(path).name == "Weir.sv")
    texts = set(TEXT.findall(design.read_text()))
    assert len(texts) > 5
    compiled = (soc.folder() / soc.program).read_bytes()
    assert [text for text in texts if text.encode() not in compiled] == []
