# SPDX-License-Identifier: Apache-2.0
"""Tables: names that are there twice, or that are none, by file, line and field."""

import pytest
import tables

GOOD = """
one: &one
  size: 1
  marks: {low: 1, high: 2}
two:
  <<: *one
  size: 2
"""


def load(tmp_path, text):
    path = tmp_path / "table.yaml"
    path.write_text(text)
    return tables.load(path, "things", lambda where, name, fields: fields)


def test_what_is_merged_may_be_given_anew(tmp_path):
    found = load(tmp_path, GOOD)
    assert found["two"] == {"size": 2, "marks": {"low": 1, "high": 2}}
    assert found["one"]["size"] == 1


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("two:", "one:", ":5: one: is there twice"),
        ("two:", "'one':", ":5: one: is there twice"),
        ("  size: 2", "  size: 2\n  size: 2", ":8: two.size: is there twice"),
        ("high: 2", "low: 2", ":4: one.marks.low: is there twice"),
        ("high: 2", "1: 2, '1': 3", ":4: one.marks.1: the name must be a string"),
        ("high: 2", "on: 2", ":4: one.marks.on: the name must be a string"),
        ("high: 2", "~: 2", ":4: one.marks.~: the name must be a string"),
        ("high: 2", "[high]: 2", ":4: one.marks.a sequence: the name must be a string"),
        ("{low: 1, high: 2}", "[{low: 1, low: 2}]", ":4: one.marks.low: is there twice"),
        ("two:", "7:", ":5: 7: the name must be a string"),
        ("two:", "Two:", r": 'Two': the name must match \[a-z\]\[a-z0-9_\]\*"),
        ("two:", "2two:", ": '2two': the name must match"),
        ("two:", "t-wo:", ": 't-wo': the name must match"),
        ("two:", '"two\\n":', r": 'two\\n': the name must match"),
        ("two:", "'':", ": '': the name must match"),
        ("size: 2", "size: 2001-99-99", ": month must be in 1..12"),
        ("size: 2", f"size: {'[' * 2000}{']' * 2000}", ": is nested too deep"),
        ("<<: *one", "<<: [1]", ": while constructing a mapping"),
    ],
)
def test_a_wrong_name_is_told(tmp_path, good, bad, message):
    assert good in GOOD
    with pytest.raises(tables.TableError, match=rf"^{tmp_path}/table.yaml{message}"):
        load(tmp_path, GOOD.replace(good, bad))


def test_a_mapping_within_itself_is_checked_once(tmp_path):
    found = load(tmp_path, "one: &one {itself: *one}\n")["one"]
    assert found["itself"] is found


def test_what_is_no_text_is_told(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_bytes(b"one: \xff\n")
    with pytest.raises(tables.TableError, match=f"^{path}: 'utf-8' codec"):
        tables.load(path, "things", lambda where, name, fields: fields)
