# SPDX-License-Identifier: Apache-2.0
"""Records that are damaged or cannot be written: told in a line, with the file."""

import pytest
import records

KINDS = {"commit": str, "accesses": int}
GOOD = b'{"commit": "abc", "accesses": 5, "more": []}'


def test_a_record_is_read_with_what_more_it_has(tmp_path):
    path = tmp_path / "record.json"
    path.write_bytes(GOOD)
    assert records.read(path, KINDS) == {"commit": "abc", "accesses": 5, "more": []}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", ": is no JSON: Expecting value"),
        (b"[]", ": must have the fields commit, accesses$"),
        (b"{}", ": commit is missing$"),
        (GOOD[:-1], ": is no JSON: "),
        (GOOD.replace(b"abc", b"\xff"), ": 'utf-8' codec"),
        (b"[" * 100_000, ": is no JSON: "),
        (GOOD.replace(b'"abc"', b"null"), ": commit must be a str, not a NoneType$"),
        (GOOD.replace(b"5", b"true"), ": accesses must be a int, not a bool$"),
        (GOOD.replace(b"5", b"-5"), ": accesses -5: must be at least 0$"),
    ],
)
def test_a_damaged_record_is_told(tmp_path, text, complaint):
    path = tmp_path / "record.json"
    path.write_bytes(text)
    with pytest.raises(records.RecordError, match=f"^{path}{complaint}") as told:
        records.read(path, KINDS)
    assert "\n" not in str(told.value)


def test_a_record_that_is_not_there_is_told(tmp_path):
    with pytest.raises(records.RecordError, match=f"^{tmp_path}/record.json: there is none: make it first$"):
        records.read(tmp_path / "record.json", KINDS)
    with pytest.raises(records.RecordError, match=f"^{tmp_path}: Is a directory$"):
        records.read(tmp_path, KINDS)


def test_a_file_is_written_into_a_folder_that_is_made(tmp_path):
    path = tmp_path / "some" / "where" / "1.json"
    records.check_writable(path)
    assert list(path.parent.iterdir()) == []
    records.write(path, "one")
    records.check_writable(path)
    assert path.read_text() == "one"
    records.write(path, "two")
    assert path.read_text() == "two"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for write in (records.check_writable, lambda path: records.write(path, "")):
        below = tmp_path / "file" / "1.json"
        with pytest.raises(records.RecordError, match=f"^{below}: cannot be written: (File exists|Not a directory)$"):
            write(below)
        with pytest.raises(records.RecordError, match=f"^{tmp_path}/folder: cannot be written: "):
            write(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
