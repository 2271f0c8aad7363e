# SPDX-License-Identifier: Apache-2.0
"""What `make page-colour-cost` makes of the instructions that it has counted."""

import json
import sys

import pytest
from weir_registers import ROOT

sys.path.insert(0, str(ROOT / "sw" / "guest" / "kernel" / "cost"))

import cost


@pytest.fixture
def images(tmp_path, monkeypatch):
    """Arguments of cost.py, whose kernels take the instructions that are in their files instead of being run."""
    monkeypatch.setattr(cost, "measure", lambda image, program: json.loads(image.read_text()))

    def write(without, with_option):
        for name, parts in {"without": without, "with": with_option, "program": {}}.items():
            (tmp_path / name).write_text(json.dumps(parts))
        return [str(tmp_path / name) for name in ("without", "with", "program")]

    return write


def test_the_sum_counts_and_each_part_is_shown(images, tmp_path):
    arguments = images({"fork": 1000, "file": 3000}, {"fork": 1040, "file": 2975})
    assert cost.main([*arguments, "--output", str(tmp_path / "rows.json")]) == 0
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert [(row["part"], row["percent"]) for row in rows] == [
        ("fork", 4.0),
        ("file", pytest.approx(-0.8333, abs=1e-4)),
        ("sum", 0.375),
    ]


def test_more_than_the_limit_fails(images):
    assert cost.main(images({"fork": 1000}, {"fork": 1005})) == 0
    assert cost.main(images({"fork": 1000}, {"fork": 1006})) == 1


def test_parts_that_differ_are_no_comparison(images):
    with pytest.raises(ValueError, match="parts differ"):
        cost.main(images({"fork": 1000}, {"file": 1000}))


def test_what_is_no_file_is_named(images, capsys):
    arguments = images({}, {})
    with pytest.raises(SystemExit, match="2"):
        cost.main([arguments[0], arguments[1] + ".gone", arguments[2]])
    assert '.gone" is not a file' in capsys.readouterr().err
