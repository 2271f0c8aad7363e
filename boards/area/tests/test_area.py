# SPDX-License-Identifier: Apache-2.0
"""The area flow without its long runs: what it reads of the tools, what it makes of it, and what it says when a tool
fails; and the whole of the synthesis on a core of a few gates."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import collect
import place
import pytest
from cells import Area, area
from synthesise import alone, wrapped
from tools import NEXTPNR, YOSYS, ToolError, read, run
from wrapper import ports, wrapper

AREA = Path(__file__).resolve().parents[1]

# A counter that adds its input, and a word of distributed RAM: LUTs, carries, flip-flops and memory.
CORE = """
module adder(input clock, input reset, input [7:0] a, input [3:0] at, output reg [7:0] sum, output [3:0] word);
  reg [3:0] memory [0:15];
  assign word = memory[at];
  always @(posedge clock) begin
    if (reset) sum <= 0; else sum <= sum + a;
    memory[a[3:0]] <= a[7:4];
  end
endmodule
"""


def stat(**cells: int) -> dict:
    return {"design": {"num_cells_by_type": cells}}


def test_a_carry_pair_is_two_luts_and_a_memory_six():
    found = area(stat(LUT4=100, CCU2C=10, TRELLIS_DPR16X4=3, PFUMX=7, L6MUX21=5, TRELLIS_FF=42, DP16KD=2, MULT18X18D=3))
    assert found == Area(lut_equivalents=100 + 20 + 18, ff=42, ebr=2, dsp=3)


def test_a_core_may_lack_any_of_them():
    assert area(stat(TRELLIS_FF=1)) == Area(0, 1, 0, 0)


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        ({}, "no design with num_cells_by_type"),
        ({"design": {}}, "no design with num_cells_by_type"),
        ({"design": {"num_cells_by_type": {"LUT4": "many"}}}, "no design with num_cells_by_type"),
        (stat(LUT4=-1), "no design with num_cells_by_type"),
        (stat(LUT4=1, DCUA=1, ALU54B=2), "cells of unknown size: ALU54B, DCUA"),
    ],
)
def test_statistics_that_would_give_a_wrong_area_are_refused(found, complaint):
    with pytest.raises(ToolError, match=complaint):
        area(found)


def test_fmax_is_that_of_the_one_clock():
    assert place.fmax({"fmax": {"clk": {"achieved": 87.5, "constraint": 100}}}) == 87.5


@pytest.mark.parametrize(
    ("report", "complaint"),
    [
        ({}, "has not one clock: none"),
        ({"fmax": {}}, "has not one clock: none"),
        ({"fmax": {"a": {"achieved": 1.0}, "b": {"achieved": 2.0}}}, "has not one clock: a, b"),
        ({"fmax": {"a": {"constraint": 100}}}, "has no Fmax of its clock"),
        ({"fmax": {"a": {"achieved": 0}}}, "has no Fmax of its clock"),
        ({"fmax": {"a": {"achieved": float("nan")}}}, "has no Fmax of its clock"),
        ({"fmax": {"a": 90.5}}, "has no Fmax of its clock"),
    ],
)
def test_a_report_without_a_clocks_fmax_is_refused(report, complaint):
    with pytest.raises(ToolError, match=complaint):
        place.fmax(report)


def netlist(**directions_and_widths: tuple[str, int]) -> dict:
    found = {name: {"direction": d, "bits": list(range(w))} for name, (d, w) in directions_and_widths.items()}
    return {"modules": {"core": {"ports": found}}}


def test_the_wrapper_has_a_flip_flop_for_each_bit():
    inputs, outputs = ports(netlist(clk=("input", 1), a=("input", 3), b=("input", 2), y=("output", 6)), "core", "clk")
    assert (inputs, outputs) == ([("a", 3), ("b", 2)], [("y", 6)])
    text = wrapper("core", "clk", inputs, outputs)
    assert "reg [4:0] shifted, held;" in text
    assert all(word in text for word in (".clk(clock)", ".a(held[2:0])", ".b(held[4:3])", ".y(out[5:0])"))
    # six outputs, two XORs, one
    assert "reg [5:0] stage0;" in text and "reg [1:0] stage1;" in text and "assign parity = stage2[0];" in text


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        ({"modules": {}}, "no module core"),
        (netlist(a=("input", 1), y=("output", 1)), "core has no port clk; there are a, y"),
        (netlist(clk=("input", 1), pad=("inout", 1), y=("output", 1)), "neither input nor output"),
        (netlist(clk=("input", 1), y=("output", 1)), "needs inputs beside its clock, and outputs"),
    ],
)
def test_a_core_that_cannot_be_wrapped_is_refused(found, complaint):
    with pytest.raises(ToolError, match=complaint):
        ports(found, "core", "clk")


RUNS = " ".join(f"speed{speed}-seed{seed}" for speed in (6, 8) for seed in range(1, 6))


def reports(folder: Path, fmax: list[float]) -> Path:
    folder.mkdir()
    (folder / "stat.json").write_text(json.dumps(stat(LUT4=10, TRELLIS_FF=5)))
    for speed, more in ((6, 0), (8, 20)):
        for seed, mhz in enumerate(fmax, start=1):
            found = {"fmax": {"clk": {"achieved": mhz + more}}}
            (folder / f"speed{speed}-seed{seed}.json").write_text(json.dumps(found))
    return folder


def test_a_row_has_the_median_the_least_and_the_most_of_the_seeds(tmp_path, monkeypatch):
    folder = reports(tmp_path / "core", [80, 90, 70, 75, 85])
    monkeypatch.setattr("sys.argv", ["collect.py", str(tmp_path / "area.json"), RUNS, f"some core={folder}"])
    collect.main()
    found = json.loads((tmp_path / "area.json").read_text())
    assert found["seeds"] == [1, 2, 3, 4, 5]
    (row,) = found["area"]
    assert (row["core"], row["lut_equivalents"], row["ff"], row["ebr"], row["dsp"]) == ("some core", 10, 5, 0, 0)
    assert [row[f"fmax_speed6_{kind}mhz"] for kind in ("", "least_", "most_")] == [80, 70, 90]
    assert row["fmax_speed8_mhz"] == 100


def test_a_core_has_one_row(tmp_path):
    folder = reports(tmp_path / "core", [80, 90, 70, 75, 85])
    with pytest.raises(ToolError, match="core 'a core' is there twice"):
        collect.collected([RUNS, f"a core={folder}", f"a core={folder}"])


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "stat.json").write_bytes(b"\xff")
    with pytest.raises(ToolError, match=r"stat\.json: no JSON"):
        read(tmp_path / "stat.json")


def test_a_core_may_be_placed_fewer_times(tmp_path):
    folder = reports(tmp_path / "core", [80, 90, 70, 75, 85])
    row = collect.row("core", folder, collect.by_speed("speed6-seed1 speed6-seed3"))
    assert (row["fmax_speed6_mhz"], row["fmax_speed6_most_mhz"], "fmax_speed8_mhz" in row) == (75, 80, False)
    both = collect.collected([RUNS, f"small={folder}", "speed8-seed2", f"large={folder}", f"larger={folder}"])
    assert [row["fmax_speed8_mhz"] for row in both["area"]] == [100, 110, 110]
    assert ["fmax_speed6_mhz" in row for row in both["area"]] == [True, False, False]
    assert both["seeds"] == [1, 2, 3, 4, 5]
    with pytest.raises(ToolError, match="'speed6' is not speedN-seedN"):
        collect.by_speed("speed6-seed1 speed6")


def test_a_missing_or_torn_report_is_named(tmp_path):
    folder = reports(tmp_path / "core", [80, 90, 70, 75, 85])
    (folder / "speed8-seed3.json").write_text('{"fmax": ')
    with pytest.raises(ToolError, match=r"speed8-seed3\.json: no JSON"):
        collect.row("core", folder, collect.by_speed(RUNS))
    (folder / "speed8-seed3.json").unlink()
    with pytest.raises(ToolError, match=r"speed8-seed3\.json: not written by its tool"):
        collect.row("core", folder, collect.by_speed(RUNS))
    (folder / "list.json").write_text("[]")
    with pytest.raises(ToolError, match="no JSON object"):
        read(folder / "list.json")


def test_a_failing_tool_is_named(tmp_path):
    with pytest.raises(ToolError, match=rf"{sys.executable} in {tmp_path} ended with exit code 3"):
        run(tmp_path, sys.executable, "-c", "raise SystemExit(3)")
    with pytest.raises(ToolError, match="no-such-tool is not installed; `make setup` installs it"):
        run(tmp_path, "no-such-tool")


def test_verilog_with_an_error_leaves_no_result(tmp_path):
    (tmp_path / "core.v").write_text("module adder(input clock; endmodule")
    with pytest.raises(ToolError, match=f"{YOSYS} in .* ended with exit code 1"):
        alone(tmp_path, "adder")
    assert not (tmp_path / "stat.json").exists()


def files_of(most: int):
    """What lets a process write no file of more bytes, as a disk that is full then."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return limit


def test_a_full_disk_leaves_no_result(tmp_path):
    """Files may have two bytes less than the netlist, whose last brace Yosys then cuts without a word."""
    (tmp_path / "core.v").write_text(CORE)
    command = [sys.executable, AREA / "synthesise.py", "alone", tmp_path, "adder"]
    subprocess.run(command, capture_output=True, check=True)
    stale = [tmp_path / name for name in ("core.json", "netlist.v", "stat.json")]
    most = max(path.stat().st_size for path in stale) - 2
    assert most == stale[0].stat().st_size - 2
    ended = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=files_of(most))
    assert ended.returncode != 0
    assert f"{tmp_path / 'core.new'}: ends before }}; is the disk full?" in ended.stderr
    assert not stale[0].exists()


def test_a_configuration_that_a_full_disk_cut_is_deleted(tmp_path):
    """Files may have two bytes less than the configuration, which nextpnr then cuts without a word."""
    (tmp_path / "core.v").write_text(CORE)
    alone(tmp_path, "adder")
    wrapped(tmp_path, "adder", "clock")
    options = ["--85k", "--json", "wrapped.json", "--lpf-allow-unconstrained", "--textcfg", "core.config"]
    program = f"from tools import run; run(Path({str(tmp_path)!r}), *{[NEXTPNR, *options]}, writes=('core.config',))"
    command = [sys.executable, "-c", f"from pathlib import Path; {program}"]
    in_area = {**os.environ, "PYTHONPATH": str(AREA)}
    subprocess.run(command, capture_output=True, check=True, env=in_area)
    configuration = tmp_path / "core.config"
    most = configuration.stat().st_size - 2
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=in_area, preexec_fn=files_of(most))
    assert f"{configuration}: File too large when {NEXTPNR} had written it" in ended.stderr
    assert not configuration.exists()


def test_a_netlist_that_nextpnr_refuses_leaves_no_report(tmp_path):
    (tmp_path / "wrapped.json").write_text("{}")
    with pytest.raises(ToolError, match=f"{NEXTPNR} in .* ended with exit code"):
        place.place(tmp_path, "6", "1")
    assert list(tmp_path.glob("speed*")) == []


def test_a_small_core_from_verilog_to_fmax(tmp_path):
    (tmp_path / "core.v").write_text(CORE)
    alone(tmp_path, "adder")
    assert "TRELLIS_FF" in (tmp_path / "netlist.v").read_text()
    wrapped(tmp_path, "adder", "clock")
    found = area(read(tmp_path / "stat.json"))
    # eight bits of sum: four pairs of carries at the least; one memory of sixteen nibbles
    assert found.lut_equivalents >= 4 * 2 + 6
    assert (found.ff, found.ebr, found.dsp) == (8, 0, 0)
    place.place(tmp_path, "6", "1")
    assert place.fmax(read(tmp_path / "speed6-seed1.json")) > 50
