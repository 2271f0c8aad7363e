# SPDX-License-Identifier: Apache-2.0
"""`make policies` without its simulations: what each policy writes, and the rows."""

import pytest
import registers
import run
from matrix import DEFAULT_SYSTEM, Point
from policies import POLICIES, points, rows, table
from rich.console import Console

RDL = run.weir_config(Point(DEFAULT_SYSTEM, "random_read", 1, 1, 64)) / "Weir.rdl"


@pytest.mark.parametrize("kind", POLICIES)
def test_the_first_policy_is_that_of_the_reset_values_and_no_two_are_the_same(kind):
    words = [tuple(registers.words(RDL, fields)) for fields in POLICIES[kind].values()]
    assert len(set(words)) == len(words)
    for address, word in words[0]:
        assert {"row": (0xE4, 3), "drain": (0xE0, 0)}[kind] == (address, word)


def test_rows_are_shares_of_the_default_at_the_same_point():
    kind = "drain"
    found = {
        (policy, point): {
            "pattern": point.pattern,
            "ids": point.ids,
            "efficiency": 0.5 if policy == "marks of each rank" else 0.4 + 0.1 * number,
            "read_latency_mean": 80.0,
        }
        for policy in POLICIES[kind]
        for number, point in enumerate(points(kind))
    }
    shares = [row["efficiency_to_default"] for row in rows(kind, found) if row["policy"] == "equal priority"]
    assert shares == [0.8, 1.0, 1.2, 1.4, 1.6, 1.8]
    console = Console(width=160, record=True)
    console.print(table(kind, rows(kind, found)))
    assert "0.800 80" in console.export_text()


def test_every_point_is_one_of_the_default_system():
    for kind in POLICIES:
        assert all(isinstance(point, Point) and point.system == DEFAULT_SYSTEM for point in points(kind))
