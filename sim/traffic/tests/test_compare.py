# SPDX-License-Identifier: Apache-2.0
"""`make compare` without its simulations: the figures, the tables, what ends it and what does not."""

import io
import json

import area_plot
import compare
import compare_plot
import figures
import own_clock
import pytest
import registers
import run
import starvation
from matrix import Point
from refresh_policies import POLICIES, shares
from rich.console import Console

CONFIG = {
    "geometry": {"burstLength": 8},
    "timing": {
        "tRCD": 11,
        "tRP": 11,
        "tRAS": 28,
        "tRTP": 6,
        "tWR": 12,
        "tWTR_L": 6,
        "tRTRS": 2,
        "tRFC": 88,
        "cl": 11,
        "cwl": 8,
    },
    "phy": {"phases": 4},
    "policies": {"ageLimit": 100, "readQueue": 32, "writeQueue": 64},
}
AREA = {
    "device": "ECP5-85F, CABGA554",
    "seeds": [1, 2, 3, 4, 5],
    "area": [
        {
            "core": core,
            "lut_equivalents": luts,
            "ff": 1200,
            "ebr": 0,
            "dsp": 0,
            **{f"fmax_speed6_{kind}mhz": mhz for kind in ("", "least_", "most_")},
            **{f"fmax_speed8_{kind}mhz": mhz + 26 for kind in ("", "least_", "most_")},
        }
        for core, luts, mhz in (("weir ecp5-lite", 3500, 85.0), ("litedram ecp5-lite", 3000, 75.0))
    ],
}


def measured(read_bytes: int = 640_000, latency: float = 20.0, **changes) -> dict:
    found = {"count": 200, "mean": latency, "p99": 25, "least": 15, "most": 90}
    return {
        "cycles": 11000,
        "window": 10000,
        "read_bytes": read_bytes,
        "written_bytes": 0,
        "checked_bytes": 1,
        "read_latency": found,
        "bystander_read_latency": found,
        "longest_silence": 100,
        "oldest_read_wait": 80,
        "violations": {},
        **changes,
    }


def compared(monkeypatch, tmp_path, simulate) -> int:
    """compare.main with the simulations replaced and nothing built."""
    for name, value in (
        ("simulate", simulate),
        ("not_built", lambda jobs: []),
    ):
        monkeypatch.setattr(run, name, value)
    (tmp_path / "Weir.json").write_text(json.dumps(CONFIG))
    monkeypatch.setattr(run, "weir_config", lambda point: tmp_path)
    monkeypatch.setattr(registers, "words", lambda rdl, fields: list(fields.items()))
    (tmp_path / "area.json").write_text(json.dumps(AREA))
    monkeypatch.setattr("sys.argv", ["compare.py", str(tmp_path / "area.json"), "--output", str(tmp_path / "out")])
    return compare.main()


def test_all_is_in_one_file_and_missed_figures_do_not_end_the_run(monkeypatch, tmp_path, capsys):
    slow = lambda controller, *_: measured(read_bytes=6400 if controller == "weir" else 640_000)  # noqa: E731
    assert compared(monkeypatch, tmp_path, slow) == 0
    found = json.loads((tmp_path / "out/compare.json").read_text())
    assert found.keys() >= {"config", "configs", "matrix", "seed", "rows", "area", "starvation", "refresh_policies"}
    assert found["area"] == AREA["area"]
    assert len(found["starvation"]) == 2 * (5 + len(starvation.OTHER_POLICIES))
    assert {storm["policy"] for storm in found["starvation"]} == {"default", *starvation.OTHER_POLICIES}
    assert [(entry["config"], entry["policy"]) for entry in found["refresh_policies"]] == [
        (system, policy.name) for system, policies in POLICIES.items() for policy in policies
    ]
    missed = {figure["figure"] for figure in found["figures"] if not figure["met"]}
    assert "random 64-byte read, 1 port, 16 ids" in missed
    printed = " ".join(capsys.readouterr().out.split())
    assert "What Weir must reach" in printed
    assert (
        f"{len(found['figures']) - sum(not f['met'] for f in found['figures'])} of {len(found['figures'])}" in printed
    )
    for ending in ("svg", "png"):
        assert (tmp_path / f"out/compare.{ending}").stat().st_size > 10_000


def areas(*changes: dict) -> dict:
    """The file with rows of AREA's first core, each changed."""
    return {**AREA, "area": [{**AREA["area"][0], **change} for change in changes]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no JSON"),
        (b"\xff", "no JSON"),
        ([], "must be an object with device, seeds and area"),
        ({**AREA, "area": {}}, "must be a list of objects"),
        ({**AREA, "area": [1]}, "must be a list of objects"),
        (areas({}, {}), "core 'weir ecp5-lite' is there twice"),
        (areas({"lut_equivalents": None}), "lut_equivalents = None of core 'weir ecp5-lite'"),
        (areas({"ff": -1}), "ff = -1 of core 'weir ecp5-lite'"),
        (areas({"fmax_speed8_mhz": 0}), "fmax_speed8_mhz = 0 of core 'weir ecp5-lite'"),
        (areas({"fmax_speed8_least_mhz": float("nan")}), "fmax_speed8_least_mhz = nan"),
    ],
)
def test_no_areas_are_refused_before_anything_is_simulated(tmp_path, monkeypatch, capsys, content, complaint):
    def never(*_arguments):
        raise AssertionError("simulated")

    path = tmp_path / "broken.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    monkeypatch.setattr(run, "simulate", never)
    monkeypatch.setattr(run, "not_built", lambda jobs: [])
    monkeypatch.setattr("sys.argv", ["compare.py", str(path), "--output", str(tmp_path / "out")])
    assert compare.main() == 2
    assert complaint in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("wrong", ["quick", "storm", "policy"])
def test_a_wrong_byte_anywhere_ends_the_run(monkeypatch, tmp_path, capsys, wrong):
    def simulate(controller, point, seed, words=(), features=""):
        kind = "policy" if words else "storm" if point.pattern == "row_hit_storm" and seed == 3 else "quick"
        if kind == wrong and controller == "weir":
            raise run.Failed("byte at 0x40 is 0x01; legal: 0x00")
        return measured()

    assert compared(monkeypatch, tmp_path, simulate) == 1
    assert "byte at 0x40" in capsys.readouterr().out
    assert not (tmp_path / "out/compare.json").exists()


def test_a_violation_by_weir_fails_the_run(monkeypatch, tmp_path, capsys):
    broken = lambda controller, *_: measured(violations={"tRCD": 1} if controller == "weir" else {})  # noqa: E731
    assert compared(monkeypatch, tmp_path, broken) == 1
    assert "Weir broke the protocol" in capsys.readouterr().out


def row(controller: str, pattern: str, efficiency: float, latency: float = 50.0, ports: int = 1, ids: int = 16) -> dict:
    return {
        "config": "ddr3-2rank",
        "controller": controller,
        "pattern": pattern,
        "ports": ports,
        "ids": ids,
        "burst_bytes": 64,
        "efficiency": efficiency,
        "bound": 1.0,
        "read_latency_mean": latency,
    }


def demands(rows=(), area=(), storms=()) -> dict[tuple[str, str], figures.Figure]:
    own = own_clock.rows(list(rows), list(area))
    found = figures.figures({"rows": list(rows), "area": list(area), "own_clock": own, "starvation": list(storms)})
    return {(figure.figure, figure.of): figure for figure in found}


def test_a_throughput_must_reach_its_share_and_its_multiple_of_litedrams():
    name = "random 64-byte read, 1 port, 16 ids"
    for weir, litedram, share, times in ((0.6, 0.075, True, True), (0.599, 0.07, False, True), (0.7, 0.1, True, False)):
        found = demands([row("weir", "random_read", weir), row("litedram", "random_read", litedram)])
        assert found[name, "share of the bus"].met == share
        assert found[name, "times LiteDRAM"].met == times


def test_an_idle_latency_must_not_exceed_its_part_of_litedrams():
    for weir, met in ((80.0, True), (80.1, False)):
        rows = [row("weir", "idle_row_hit", 0, weir, ids=1), row("litedram", "idle_row_hit", 0, 100.0, ids=1)]
        figure = demands(rows)["idle read latency, row hit", "times LiteDRAM, mean DRAM clocks"]
        assert (figure.met, figure.weir, figure.litedram) == (met, weir, 100.0)


def test_area_must_not_exceed_and_fmax_must():
    found = demands(area=AREA["area"])
    assert found["ecp5-lite: LUT equivalents", "times LiteDRAM"].measured == pytest.approx(3500 / 3000)
    assert found["ecp5-lite: LUT equivalents", "times LiteDRAM"].met
    assert found["ecp5-lite: Fmax in MHz, speed grade 6", "times LiteDRAM"].met
    # 111 of 101 MHz
    assert not found["ecp5-lite: Fmax in MHz, speed grade 8", "times LiteDRAM"].met


def board_row(controller: str, pattern: str, efficiency: float, latency: float, ids: int = 16) -> dict:
    return {**row(controller, pattern, efficiency, latency, ids=ids), "config": "ecp5-lite"}


def test_at_its_own_clock_a_core_has_the_rate_latency_and_cost_of_one_config():
    # 111 and 101 MHz; two phases of 4 bytes a clock
    rows = [board_row("weir", "random_read", 0.8, 55.5), board_row("litedram", "random_read", 0.88, 50.5)]
    unplaced = {name: of for name, of in {**AREA["area"][0], "core": "weir ddr3-2rank"}.items() if "fmax" not in name}
    weir, litedram = own_clock.rows([*rows, row("weir", "random_read", 0.9)], [*AREA["area"], unplaced])
    assert (weir["mb_s"], litedram["mb_s"]) == (round(0.8 * 8 * 111, 1), round(0.88 * 8 * 101, 1))
    assert (weir["latency_ns"], litedram["latency_ns"]) == (250.0, 250.0)
    assert (weir["lut_equivalents"], weir["fmax_speed8_mhz"], litedram["lut_equivalents"]) == (3500, 111, 3000)
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(own_clock.table([weir, litedram]))
    text = " ".join(console.export_text().split())
    assert "Weir ecp5-lite: 3500 LUTs" in text and "LiteDRAM ecp5-lite: 3000 LUTs" in text and "1.00" in text


def test_the_small_core_must_be_litedrams_equal_at_its_own_clock():
    # 111 and 101 MHz
    for weir, share, rate in ((0.81, True, True), (0.80, True, False), (0.79, False, False)):
        rows = [board_row("weir", "random_read", weir, 50.0), board_row("litedram", "random_read", 0.885, 50.0)]
        name = "ecp5-lite: random read, 16 ids, 64 bytes"
        assert demands(rows, AREA["area"])[name, "times LiteDRAM, MB/s at own clock"].met == rate
        assert demands(rows, AREA["area"])[name, "share of the bus"].met == share
    for latency, met in ((43.9, True), (44.1, False)):
        rows = [board_row("weir", "idle_row_hit", 0, latency, 1), board_row("litedram", "idle_row_hit", 0, 40.0, 1)]
        name = "ecp5-lite: idle row hit, 1 id, 64 bytes"
        assert demands(rows, AREA["area"])[name, "times LiteDRAM, ns at own clock"].met == met


def test_a_fast_small_core_has_demands_of_its_own():
    streams = [row(name, "sequential_read", share, 0, ids=1) for name, share in (("weir", 0.94), ("litedram", 0.9))]
    found = demands([{**each, "config": "ecp5-mid", "bound": 0.96} for each in streams])
    stream = found["ecp5-mid: sequential read, 1 id, 64 bytes", "share of the bound"]
    assert (stream.met, stream.measured) == (True, pytest.approx(0.94 / 0.96))
    area = [{**AREA["area"][0], "core": "weir ecp5-full", "lut_equivalents": luts} for luts in (30_000, 30_001)]
    for core, met in zip(area, (True, False), strict=True):
        assert demands(area=[core])["ecp5-full: LUT equivalents", "LUT equivalents"].met == met


def test_a_full_core_is_held_against_litedram_with_as_many_phases():
    """50 and 100 MHz with four phases; LiteDRAM with two is slower."""
    cores = (("weir ecp5-full-4phase", 50), ("litedram ecp5-lite-4phase", 100), ("litedram ecp5-lite", 90))
    area = [{**AREA["area"][0], "core": core, "fmax_speed8_mhz": mhz} for core, mhz in cores]
    name = "ecp5-full-4phase: random read, 16 ids, 64 bytes", "times LiteDRAM, MB/s at own clock"
    for share, met in ((0.81, True), (0.79, False)):
        rows = [board_row("weir", "random_read", share, 50.0), board_row("litedram", "random_read", 0.08, 50.0)]
        found = demands([{**each, "config": "ecp5-full-4phase"} for each in rows], area)
        assert (found[name].met, found[name].measured) == (met, pytest.approx(share / 0.08 / 2, rel=1e-3))
        fmax = found["ecp5-full-4phase: Fmax in MHz, speed grade 8", "times LiteDRAM"]
        assert (fmax.met, fmax.litedram) == (True, 100)


def test_a_core_that_was_placed_at_one_speed_grade_has_a_dash_for_the_other():
    large = {name: of for name, of in AREA["area"][0].items() if "speed6" not in name}
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(figures.area_table([large]))
    assert "- │ 111.0 (111.0 to 111.0)" in " ".join(console.export_text().split())


def test_speed_is_drawn_over_area(tmp_path):
    rows = [board_row(controller, "random_read", 0.8, 55.5) for controller in ("weir", "litedram")]
    own = own_clock.rows(rows, AREA["area"])
    assert area_plot.points(own, "random_read", 16, 64) == {
        "ecp5-lite": ("weir", 3500, round(0.8 * 8 * 111, 1)),
        "LiteDRAM, 2 phases": ("litedram", 3000, round(0.8 * 8 * 101, 1)),
    }
    assert area_plot.points(own, "random_read", 16, 16) == {}
    area_plot.draw(own, tmp_path)
    assert (tmp_path / "speed_over_area.svg").stat().st_size > 1000


def test_the_worst_storm_counts():
    storms = [{"oldest_read_wait": 100, "bound": 1000}, {"oldest_read_wait": 90, "bound": 80}]
    name = "longest wait of the oldest read under a storm of row hits", "cycles"
    assert not demands(storms=storms)[name].met
    assert demands(storms=storms[:1])[name].met


def test_what_was_not_measured_is_shown_and_not_met(tmp_path):
    found = demands()
    assert not any(figure.met for figure in found.values())
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(figures.table(list(found.values())))
    text = console.export_text()
    assert "no" in text and "yes" not in text
    rows = [row("weir", "random_read", 0.6), row("litedram", "random_read", 0.07)]
    console.print(figures.table(list(demands(rows).values())))
    assert "yes" in console.export_text()
    compare_plot.draw({"rows": [], "area": [], "own_clock": [], "starvation": []}, tmp_path)
    assert (tmp_path / "compare.svg").exists()


def test_the_starvation_bound_by_hand():
    # twice 100; 31 others of 6 clocks, 2 cycles, each; conflict 28 + 11 + 11 clocks as 7 + 3 + 3 cycles; turn CWL + 4 +
    # tWTR + tRTRS = 20 clocks as 5; refresh 11 + 88 as 3 + 22; drain 64 and two turns
    assert starvation.bound_cycles(CONFIG) == 200 + 62 + 13 + 5 + 25 + 74


def test_a_storm_tells_the_oldest_and_the_longest_of_victim_and_others():
    point = Point("ddr3-2rank", "row_hit_storm", 1, 16, 64)
    latency = {"count": 1, "mean": 1.0, "p99": 1, "least": 1, "most": 99}
    for kind in ("read_latency", "bystander_read_latency"):
        found = starvation.storm(point, 1, measured(**{kind: latency}), CONFIG)
        assert (found.oldest, found.longest, found.bound) == (80, 99, 379)


def test_refresh_policies_are_shares_of_none():
    found = shares("ddr3-4rank", {"none": [0.5, 0.7], "staggered": [0.54, 0.54]})
    assert [entry["share_of_none"] for entry in found] == [1.0, 0.9]
    assert shares("ddr3-4rank", {"staggered": [0.5]})[0]["share_of_none"] is None
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(figures.refresh_table(found))
    assert "0.900" in console.export_text()


RDL = run.ROOT / "build/hw/traffic-ddr3-2rank-p1/Weir.rdl"


def test_registers_are_set_by_name():
    found = dict(registers.words(RDL, {"water_marks.high": 30, "age_limit": 200, "water_marks.low": 3}))
    assert found == {0xC0: 3 << 16 | 30, 0xC4: 200}


def test_the_other_fields_of_a_register_keep_their_reset_values():
    config = json.loads(RDL.with_suffix(".json").read_text())["policies"]
    assert dict(registers.words(RDL, {"water_marks.low": 3})) == {0xC0: 3 << 16 | config["highWaterMark"]}


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("patience", 1, "there is no register field patience.value"),
        ("identity.magic", 1, "identity.magic cannot be written"),
        ("age_limit", 4096, "age_limit.value = 4096: must be 0 to 4095"),
    ],
)
def test_a_wrong_register_is_named(name, value, complaint):
    with pytest.raises(ValueError, match=complaint):
        registers.words(RDL, {name: value})
