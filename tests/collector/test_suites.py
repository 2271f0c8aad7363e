# SPDX-License-Identifier: Apache-2.0
"""The table of suites: the order it gives and the rows it refuses."""

from pathlib import Path

import pytest

from collector import suites

ROOT = Path(__file__).resolve().parents[2]
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


def test_a_room_is_found_by_its_folder_and_by_its_last_part(tmp_path):
    names = ("hw/observe", "sim/observe", "sim/soc")
    rooms = suites.load(write(tmp_path / "rooms.toml", *(GOOD | {"name": name} for name in names)))
    assert [room.name for room in suites.of_room(rooms, "observe")] == ["hw/observe", "sim/observe"]
    assert [room.name for room in suites.of_room(rooms, "sim/observe")] == ["sim/observe"]
    for name in ("serve", "sim", ""):
        with pytest.raises(suites.UnknownError, match=f"no room named '{name}' with tests; there are hw/observe, sim"):
            suites.of_room(rooms, name)


def test_every_folder_is_a_room():
    folders = {f"hw/{folder.name}" for folder in (ROOT / "hw" / "src" / "weir").iterdir() if folder.is_dir()}
    for place in ("sim", "sw", "sw/guest", "boards"):
        folders |= {f"{place}/{folder.name}" for folder in (ROOT / place).iterdir() if folder.is_dir()}
    folders = {folder for folder in folders if not folder.endswith("__pycache__")}
    rooms = {room.name for room in suites.load(ROOT / "tests" / "rooms.toml")}
    assert folders - rooms == {"sw/guest", "sim/speed", "sw/guest/opensbi"}
    # a room too large for a minute has rooms inside
    inner = {f"hw/channel/{folder.name}" for folder in (ROOT / "hw/src/weir/channel").iterdir() if folder.is_dir()}
    assert rooms - folders == inner


def test_a_name_given_twice_is_refused(tmp_path):
    with pytest.raises(ValueError, match="suite a: the name occurs twice"):
        suites.load(write(tmp_path / "suites.toml", GOOD, GOOD))
