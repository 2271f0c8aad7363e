# SPDX-License-Identifier: Apache-2.0
"""How what the SoC has found is compared with its registers."""

import map_detection
import pytest

CONSOLE = """
map bank_xor
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
register column1 0x40
register row0 0x20000
register row1 0x40000
low 8000 high 9216 of 256, times 300, predictions 24, cycles 1200000
verdict 0 at 0x0: every function was found
"""


def right(console):
    return [map_detection.is_right(one) for one in map_detection.parse(console)]


def test_a_map_as_in_force_is_right():
    found = map_detection.parse(CONSOLE.replace("\n", "\r\n"))[0]
    assert (found.name, found.levels, found.cycles) == ("bank_xor", (31.25, 36.0), 1200000)
    assert right(CONSOLE + CONSOLE) == [True, True]


def test_other_numbers_of_banks_are_right():
    assert right(CONSOLE.replace("\nbank1 0x40200", "\nbank1 0x60300")) == [True]
    assert right(CONSOLE.replace("\nbank0 0x20100", "\nbank0 0x30100")) == [True]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("\nrank0 0x10000", "\nrank0 0x30100"),
        ("\nrank0 0x10000", ""),
        ("\nbank0 0x20100", "\nbank0 0x100"),
        ("\nbank1 0x40200", ""),
        ("\nrow1 0x40000", "\nrow1 0x80000"),
        ("\ncolumn3 0x40", ""),
        ("verdict 0", "verdict 5"),
        ("verdict 0", "verdict"),
        ("register ", ""),
    ],
)
def test_a_difference_is_seen(text, other):
    assert text in CONSOLE
    assert right(CONSOLE.replace(text, other)) == [False]
