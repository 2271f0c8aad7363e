# SPDX-License-Identifier: Apache-2.0
"""The table of suites: the order it gives and the rows it refuses."""

import pytest

from collector import suites

GOOD = {"name": "a", "build": "true", "command": "true", "reports": "build/a.xml", "minutes": 1, "limit": 2, "cores": 1}


def write(path, *rows):
    lines = []
    for row in rows:
        lines.append("[[suite]]")
        lines += [f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in row.items()]
    path.write_text("\n".join(lines))
    return path


def test_the_longest_suite_comes_first(tmp_path):
    table = write(tmp_path / "suites.toml", GOOD, GOOD | {"name": "b", "minutes": 2})
    assert [suite.name for suite in suites.load(table)] == ["b", "a"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"cores": 3}, "suite a: cores is 3, not 1 or 2"),
        ({"limit": 0}, "suite a: limit is 0, not above 0"),
        ({"minutes": 0}, "suite a: minutes is 0, not above 0"),
        ({"reports": "a.xml"}, "suite a: reports is a.xml, not under build/"),
        ({"speed": 1}, "suite a: absent or unknown: speed"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, change, complaint):
    with pytest.raises(ValueError, match=complaint):
        suites.load(write(tmp_path / "suites.toml", GOOD | change))


def test_an_absent_field_is_named(tmp_path):
    row = {key: value for key, value in GOOD.items() if key != "limit"}
    with pytest.raises(ValueError, match="absent or unknown: limit"):
        suites.load(write(tmp_path / "suites.toml", row))


def test_a_name_given_twice_is_refused(tmp_path):
    with pytest.raises(ValueError, match="suite a: the name occurs twice"):
        suites.load(write(tmp_path / "suites.toml", GOOD, GOOD))
