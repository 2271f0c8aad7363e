# SPDX-License-Identifier: Apache-2.0
"""The KUnit tests of page colours, their policies and Rainbow, in a kernel with debug options, whose objections count.
`make kunit` builds the kernel, which takes as long as the guest's own, and runs this."""

import re

import pytest
import weir_machine as machine
import weir_registers as registers
from weir_registers import after_reset

pytestmark = pytest.mark.long

SUITES = {"page_colour": 13, "rank_assign": 6, "vipzone": 4, "weir_rainbow": 8}
"""How many cases each has."""


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """What the kernel says, without the times."""
    console, exit_code = machine.run(
        tmp_path_factory.mktemp("kunit"),
        "true\n",
        registers=registers.image(after_reset(registers.read())),
        node=machine.controller(),
        harts=4,
        # more than the kernel's own buffer holds
        options=["--image", machine.GUEST / "kunit" / "Image", "--append", "loglevel=7 kunit.enable=1"],
    )
    assert exit_code == 0, console
    return re.sub(r"^\[.*?\] ", "", console, flags=re.MULTILINE)


@pytest.mark.parametrize("suite", SUITES)
def test_each_case_passes(log, suite):
    (cases,) = re.findall(rf"^ +# Subtest: {suite}\n(.*?)^(?:not )?ok \d+ {suite}$", log, re.MULTILINE | re.DOTALL)
    assert re.findall(r"^    (not ok|ok) \d+ .*$", cases, re.MULTILINE) == ["ok"] * SUITES[suite], cases
    assert "SKIP" not in cases


def test_the_kernel_objects_to_nothing(log):
    assert machine.objections(log) == [], log
