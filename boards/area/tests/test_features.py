# SPDX-License-Identifier: Apache-2.0
"""The table of what features cost, of statistics made up here; and that its configs are the generator's."""

import json
import re
import sys
from pathlib import Path

import features
import pytest
from tools import ToolError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path):
    """Three configs: the first, one with more of all, and one that is smaller and synthesised to fewer block RAMs."""
    for config, luts, carries, ffs, ebrs, dsps in (
        ("lite", 80, 10, 50, 8, 0),
        ("queues", 160, 20, 90, 8, 3),
        ("merge", 150, 20, 95, 4, 3),
    ):
        made = tmp_path / f"features-{config}"
        made.mkdir()
        counts = {"LUT4": luts, "CCU2C": carries, "TRELLIS_FF": ffs, "DP16KD": ebrs, "MULT18X18D": dsps}
        (made / "stat.json").write_text(json.dumps({"design": {"num_cells_by_type": counts}}))
    return tmp_path


CONFIGS = ["features-lite", "features-queues", "features-merge"]


def test_each_row_has_what_it_adds_to_the_one_before(folder):
    found = features.rows(folder, CONFIGS)
    assert list(found[0].values()) == ["lite", "features-lite", 100, 50, 8, 0, 0, 0, 0, 0]
    assert [(row["lut"], row["lut_more"]) for row in found] == [(100, 0), (200, 100), (190, -10)]
    assert [(row["ff"], row["ff_more"]) for row in found] == [(50, 0), (90, 40), (95, 5)]
    assert [(row["ebr"], row["ebr_more"]) for row in found] == [(8, 0), (8, 0), (4, -4)]
    assert [(row["dsp"], row["dsp_more"]) for row in found] == [(0, 0), (3, 3), (3, 0)]


def test_the_table_says_of_the_first_config_only_what_it_has(folder):
    assert features.table(features.rows(folder, CONFIGS)).splitlines()[2:] == [
        "| `lite` | 100 |  | 50 |  | 8 |  | 0 |  |",
        "| `queues` | 200 | +100 | 90 | +40 | 8 | +0 | 3 | +3 |",
        "| `merge` | 190 | -10 | 95 | +5 | 4 | -4 | 3 | +0 |",
    ]


def test_the_file_is_written_and_printed(folder, monkeypatch, capsys):
    written = folder / "features.json"
    monkeypatch.setattr(sys, "argv", ["features.py", str(written), str(folder), *CONFIGS])
    features.main()
    assert [row["config"] for row in json.loads(written.read_text())["rows"]] == CONFIGS
    monkeypatch.setattr(sys, "argv", ["features.py", "--table", str(written)])
    features.main()
    assert capsys.readouterr().out.splitlines() == features.table(features.rows(folder, CONFIGS)).splitlines()


def test_a_table_of_another_file_is_refused(tmp_path, monkeypatch):
    for content in ("{}", '{"rows": [1]}', '{"rows": [{"config": "features-lite"}]}'):
        (tmp_path / "other.json").write_text(content)
        monkeypatch.setattr(sys, "argv", ["features.py", "--table", str(tmp_path / "other.json")])
        with pytest.raises(ToolError, match=r"other\.json: not what features\.py writes"):
            features.main()


@pytest.mark.parametrize(
    ("configs", "complaint"),
    [
        (["features-lite", "features-nvm"], r"features-nvm/stat\.json: not written by its tool"),
        (["ecp5-lite"], "config 'ecp5-lite' is not features-FEATURE"),
    ],
)
def test_a_config_that_cannot_be_counted_is_named(folder, configs, complaint):
    with pytest.raises(ToolError, match=complaint):
        features.rows(folder, configs)


def test_the_steps_are_those_of_the_generator_in_its_order():
    """The lists in build.mk and in Boards.scala: what is added in another order costs something else."""
    makefile = (ROOT / "boards" / "area" / "build.mk").read_text()
    scala = (ROOT / "hw" / "src" / "weir" / "config" / "presets" / "Boards.scala").read_text()
    listed = re.search(r"^AREA_FEATURES := \$\(addprefix features-,(.*)\)$", makefile, re.MULTILINE)[1].split()
    assert listed == ["lite", *re.findall(r'^    "([a-z-]+)" +-> \(config =>', scala, re.MULTILINE)]
