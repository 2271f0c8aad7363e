# SPDX-License-Identifier: Apache-2.0
"""What software has been promised of the register map stays where it is, in every kind of config."""

from pathlib import Path

import places
import pytest

HW = Path(__file__).resolve().parents[2] / "build" / "hw"
CONFIGS = [
    "soc-64",
    "soc-64-hybrid",
    "ecp5-lite",
    "features-events",
    "test-ddr4",
    "test-ddr5-sets",
    "test-2channel",
    "test-2pseudo",
    "test-4rank-2phase",
]
COUNTERS = {
    "channel": (0x1000, 0x100, ["cycles", "read_queue_level_sum", "write_queue_level_sum"]),
    "source": (0x3000, 0x40, ["forwarded", "merged"]),
}
"""Of two groups, as docs/counters.md has them: where they are, the bytes of a place, and the counters by number."""


def found(config: str, *changes: tuple[str, str], folder: Path | None = None) -> places.Places:
    """The places of a config, of its map with some text replaced where there are changes, each of which occurs once."""
    rdl = HW / config / "Weir.rdl"
    if not changes:
        return places.of_map(places.compiled(rdl))
    text = rdl.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    changed = folder / "Weir.rdl"
    changed.write_text(text)
    return places.of_map(places.compiled(changed))


@pytest.mark.parametrize("config", CONFIGS)
def test_nothing_that_was_released_has_moved(config: str) -> None:
    assert places.moved(places.released(), found(config)) == []


def test_counters_are_where_the_text_says() -> None:
    released = places.released()
    for group, (first, spacing, names) in COUNTERS.items():
        assert released["blocks"][group] == [first, spacing]
        for number, name in enumerate(names):
            assert released["words"][f"{group}.{name}"] == 8 * number


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ((("} refresh_idle @ 0x0d4;", "} refresh_idle @ 0x0f0;"),), "registers: refresh_idle is at 0xf0, not at 0xd4"),
        (
            (("} age_limit @ 0x0c4;", "} age_bound @ 0x0c4;"),),
            "registers: age_bound is at 0xc4, which is the place of age_limit",
        ),
        (
            (("} rank[2] @ 0x2000 += 0x100;", "} rank[2] @ 0x2000 += 0x80;"),),
            "blocks: rank is at 0x2000 += 0x80, not at",
        ),
        (
            (("} source[4] @ 0x3000", "} source[4] @ 0x3800"),),
            "blocks: source is at 0x3800 += 0x40, not at 0x3000 += 0x40",
        ),
        (
            (("} drains_low @ 0x020;", "} drains_low @ 0x0f8;"), ("} drains_high @ 0x024;", "} drains_high @ 0x0fc;")),
            "words: rank.drains is at 0xf8, not at 0x20",
        ),
        (
            (("} drains_low @ 0x020;", "} naps_low @ 0x050;"), ("} drains_high @ 0x024;", "} naps_high @ 0x054;")),
            "words: rank.naps is at 0x50, which is the place of rank.cycles_power_down",
        ),
        ((("} low[21:16] = 4;", "} low[22:17] = 4;"),), "fields: water_marks.low is at 0x11, not at 0x10"),
    ],
)
def test_what_moves_is_found(changes: tuple, complaint: str, tmp_path: Path) -> None:
    complaints = places.moved(places.released(), found("soc-64", *changes, folder=tmp_path))
    assert len(complaints) == 1 and complaints[0].startswith(complaint), complaints


def test_what_is_added_is_no_move(tmp_path: Path) -> None:
    """A counter with a number that none has had."""
    map_ = HW / "soc-64" / "Weir.rdl"
    drains = map_.read_text().split("} drains_high @ 0x024;")[0].rsplit("    reg {", 2)
    low, high = (f"    reg {{{part}" for part in drains[1:])
    more = low.replace("drains", "naps").replace("0x020", "0x0f8") + high.replace("drains", "naps")
    more += "} naps_high @ 0x0fc;"
    added = found("soc-64", ("} drains_high @ 0x024;", f"}} drains_high @ 0x024;\n{more}"), folder=tmp_path)
    assert added["words"]["rank.naps"] == 0xF8
    assert places.moved(places.released(), added) == []
    assert places.joined(places.released(), added)["words"]["rank.naps"] == 0xF8


def test_a_map_that_is_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Weir.rdl").write_bytes(b"\xff")
    monkeypatch.setattr("sys.argv", ["places.py", str(tmp_path / "Weir.rdl")])
    assert places.main() == 2


def test_the_file_is_as_the_command_writes_it() -> None:
    assert places.text(places.released()) == places.RELEASED.read_text()
