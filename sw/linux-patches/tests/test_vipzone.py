# SPDX-License-Identifier: Apache-2.0
"""The KUnit tests of ViPZonE and the function that they test, compiled for this machine from the kernel's own sources:
in which order nodes are asked. Broken sources must be found out."""

import pytest
from native import KERNEL, every_case_passes, functions, part, run
from native import program as native_program


def program(folder, old="", new=""):
    """Path of the tests in `folder`, with the only `old` in the tested function replaced by `new`."""
    types = [part((KERNEL / "mm" / "vipzone.h").read_text(), "struct vip_power {")]
    tested = functions("mm/vipzone.c", ("unsigned int vip_groups",), old, new)
    return native_program(folder, types, tested, "mm/vipzone_test.c")


def test_each_case_passes(tmp_path):
    every_case_passes(program(tmp_path), cases=4)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("power->read < powers[least].read", "power->read > powers[least].read"),
        ("power->write < powers[least].write", "power->write > powers[least].write"),
        ("(power->read == powers[least].read &&\n\t\t\t     power->write < powers[least].write)", "false"),
        ("power->read == powers[least].read &&\n\t\t\t     power->write <", "power->write <"),
        ("if (power->read == powers[least].read &&\n\t\t\t    power->write", "if (power->write"),
        ("\t\t\t    power->write == powers[least].write)", "\t\t\t    true)"),
        ("\t\t\t\tnodes_clear(groups[nr]);\n", ""),
        ("\t\t\t\tleast = node;\n", ""),
    ],
)
def test_broken_sources_are_found_out(tmp_path, old, new):
    assert run(program(tmp_path, old, new))[0] != 0
