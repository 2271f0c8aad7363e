# SPDX-License-Identifier: Apache-2.0
"""Maps that the SoC finds by timing, and how they are compared with its registers."""

import map_detection
import pytest
from conftest import ONE_HART

CONSOLE = """
map bank_xor
address_map 4
row_policy 3
rank0 0x10000
bank0 0x20100
bank1 0x40200
column0 0x8
column3 0x40
row0 0x20000
row1 0x40000
register rank0 0x10000
register bank0 0x20100
register bank1 0x40200
register column0 0x8
register column3 0x40
register row0 0x20000
register row1 0x40000
low 8000 high 9216 of 256, times 300, predictions 24, cycles 1200000
verdict 0 at 0x0: every function was found
"""
PROGRAMMABLE = CONSOLE.replace("map bank_xor\naddress_map 4", "map programmable\naddress_map 5")


def right(console):
    return [map_detection.is_right(one) for one in map_detection.parse(console)]


def test_a_map_as_in_force_is_right():
    found = map_detection.parse(CONSOLE.replace("\n", "\r\n"))[0]
    assert (found.name, found.levels, found.cycles) == ("bank_xor", (31.25, 36.0), 1200000)
    assert right(CONSOLE + PROGRAMMABLE) == [True, True]


@pytest.mark.parametrize(
    ("text", "other"), [("\nbank1 0x40200", "\nbank1 0x60300"), ("\nbank0 0x20100", "\nbank0 0x30100")]
)
def test_other_numbers_of_banks_are_right_for_masks_of_software_alone(text, other):
    assert text in CONSOLE
    assert right(PROGRAMMABLE.replace(text, other)) == [True]
    assert right(CONSOLE.replace(text, other)) == [False]


@pytest.mark.parametrize("console", [CONSOLE, PROGRAMMABLE], ids=["bank_xor", "programmable"])
@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("\nrank0 0x10000", "\nrank0 0x30100"),
        ("\nrank0 0x10000", ""),
        ("\nbank0 0x20100", "\nbank0 0x100"),
        ("\nbank1 0x40200", ""),
        ("\nrow1 0x40000", "\nrow1 0x80000"),
        ("\ncolumn3 0x40", ""),
        ("\naddress_map ", "\naddress_map 1"),
        ("verdict 0", "verdict 5"),
        ("verdict 0", "verdict"),
        ("register ", ""),
    ],
)
def test_a_difference_is_seen(console, text, other):
    assert text in console
    assert right(console.replace(text, other)) == [False]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the SoC says of bank_xor, found under the row policy of reset."""
    script = tmp_path_factory.mktemp("map") / "script"
    script.write_text(f"{map_detection.POLICIES.index('adaptive')}{[*map_detection.MAPS].index('bank_xor')}")
    return ONE_HART.boot("mapdetect", "--script", script, "--cycles", map_detection.CYCLE_LIMIT)


def test_the_soc_finds_the_map_of_the_paper(found):
    assert found.code == 0, found.console + found.messages
    maps = map_detection.parse(found.console)
    assert [(one.name, one.row_policy, one.predictions) for one in maps] == [("bank_xor", 3, 24)]
    assert map_detection.is_right(maps[0]), found.console


def test_registers_of_another_map_are_refused(found):
    """Of bank_interleaved, which differs from what was found in its bank masks alone."""
    (one,) = map_detection.parse(found.console)
    one.registers = {**one.registers, **{f"bank{i}": 1 << (8 + i) for i in range(3)}}
    assert not map_detection.is_right(one)
