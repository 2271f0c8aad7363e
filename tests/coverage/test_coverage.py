# SPDX-License-Identifier: Apache-2.0
"""The collector of coverage, on a small sample: a Scala file, Verilog as firtool writes it, counts as Verilator's."""

from pathlib import Path

import collect
import exclusions
import pytest
from items import Key
from locators import Place, Verilog
from points import read

SCALA = """\
package weir.channel
class Gate extends Module {
  val io    = IO(new GateIo)
  val open  = RegInit(false.B)
  val level = RegInit(0.U(2.W))
  when(io.push && !io.pop) {
    level := level + 1.U
  }
}
"""
AT = "/somewhere/hw/src/weir/channel/Gate.scala"
VERILOG = f"""\
module Gate_1(	// {AT}:2:7
  input clock,	// {AT}:2:7
        io_push,	// {AT}:3:14
  output reg open,	// {AT}:4:24
  input queued	// src/main/scala/chisel3/util/Queue.scala:60:7
);
  reg [1:0] level;	// {AT}:5:24
  always @(posedge clock) begin	// {AT}:2:7
    if (io_push
        & ~io_pop)	// {AT}:4:24, :6:{{8,16}}, src/main/scala/chisel3/util/Queue.scala:60:7
      level <= level + 2'h1;	// {AT}:5:24, :7:20
  end
endmodule
module levels_4x2(	// {AT}:5:24
  input R0_en	// {AT}:5:24
);
endmodule
"""


def point(verilog: str, line: int, kind: str, module: str, name: str, count: int) -> str:
    fields = {"f": verilog, "l": line, "n": 1, "t": kind, "page": f"v_{kind}/{module}", "o": name, "h": "bench.weir.*"}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in fields.items()) + f"' {count}\n"


def data(config: str, pops: int = 3, top: int = 0) -> str:
    """Counts of a run: `pops` of the branch not taken, `top` of the upper bit of the level."""
    file = f"/somewhere/build/hw/{config}/Weir.sv"
    return "# SystemC::Coverage-3\n" + "".join(
        [
            point(file, 4, "toggle", "Gate_1", "open:0->1", 5),
            point(file, 4, "toggle", "Gate_1", "open:1->0", 4),
            point(file, 5, "toggle", "Gate_1", "queued:0->1", 1),
            point(file, 7, "toggle", "Gate_1", "level[0]:0->1", 2),
            point(file, 7, "toggle", "Gate_1", "level[1]:0->1", top),
            point(file, 9, "branch", "Gate_1", "if", 7),
            point(file, 9, "branch", "Gate_1", "else", pops),
            point(file, 15, "toggle", "levels_4x2", "R0_en:0->1", 0),
            point("/somewhere/bench.sv", 4, "toggle", "bench", "fault:0->1", 0),
        ]
    )


LEVEL = """
[[unreached]]
file = "channel/*"
kind = "toggle"
name = "Gate\\\\.level"
parts = "\\\\[1\\\\].*"
reason = "the gate never fills"
"""


@pytest.fixture
def tree(tmp_path: Path):
    """A repository of the sample; gives what runs the collector on given runs and a given list."""
    source = tmp_path / "hw" / "src" / "weir" / "channel" / "Gate.scala"
    source.parent.mkdir(parents=True)
    source.write_text(SCALA)

    def run(runs: dict[str, str], listed: str) -> tuple[int, Path]:
        for name, counts in runs.items():
            verilog = tmp_path / "build" / "hw" / name / "Weir.sv"
            verilog.parent.mkdir(parents=True, exist_ok=True)
            verilog.write_text(VERILOG)
            folder = tmp_path / "runs" / f"{name}-traffic"
            folder.mkdir(parents=True)
            (folder / "coverage.dat").write_text(counts)
        (tmp_path / "runs").mkdir(exist_ok=True)
        (tmp_path / "unreached.toml").write_text(listed)
        arguments = [str(tmp_path / "runs"), "--list", str(tmp_path / "unreached.toml")]
        return collect.main(arguments, tmp_path), tmp_path / "build" / "coverage"

    return run


def test_what_is_reached_or_listed_passes(tree, capsys):
    code, output = tree({"small": data("small")}, LEVEL)
    assert code == 0
    assert "0 not reached and not listed" in capsys.readouterr().out
    page = (output / "report.md").read_text()
    assert "1 of `channel/*`, toggle `Gate\\.level`: the gate never fills" in page
    assert "| channel |  | 2 | 2 | 100.0 % | 4 | 5 | 80.0 % |" in page
    assert "Simulated: small-traffic." in page


def test_what_is_not_reached_and_not_listed_fails(tree, capsys):
    code, output = tree({"small": data("small", pops=0)}, LEVEL)
    assert code == 1
    line = "channel/Gate.scala:6 branch `when(io.push && !io.pop) {`: not else (1 of 2)"
    assert f"not reached: {line}" in capsys.readouterr().out
    assert f"- {line}" in (output / "report.md").read_text()


def test_an_edge_that_is_not_reached_fails(tree, capsys):
    code, _ = tree({"small": data("small")}, "")
    assert code == 1
    assert "channel/Gate.scala:5 toggle `Gate.level`: not [1]:0->1 (1 of 2)" in capsys.readouterr().out


def test_what_one_config_reaches_is_reached(tree):
    code, _ = tree({"small": data("small"), "large": data("large", pops=0, top=1)}, "")
    assert code == 0


def test_an_entry_that_is_reached_is_told(tree, capsys):
    code, output = tree({"small": data("small", top=2)}, LEVEL)
    assert code == 0
    assert "toggle Gate\\.level of channel/*: is reached" in capsys.readouterr().out
    assert "`Gate\\.level`: reached" in (output / "report.md").read_text()


def test_an_entry_of_nothing_is_told(tree, capsys):
    code, _ = tree({"small": data("small", top=2)}, LEVEL.replace("Gate", "Door"))
    assert code == 0
    assert "toggle Door\\.level of channel/*: there is none" in capsys.readouterr().out


def test_lines_of_scala_in_lcovs_format(tree):
    _, output = tree({"small": data("small")}, "")
    text = (output / "coverage.info").read_text().splitlines()
    assert text[0].endswith("hw/src/weir/channel/Gate.scala")
    assert {"DA:2,1", "DA:4,4", "DA:5,0", "DA:6,3", "BRDA:6,0,0,7", "BRDA:6,0,1,3"} <= set(text)


def test_what_is_listed_does_not_count_in_lcovs_format(tree):
    _, output = tree({"small": data("small")}, LEVEL)
    assert "DA:5,2" in (output / "coverage.info").read_text().splitlines()


def test_places(tmp_path: Path):
    path = tmp_path / "Weir.sv"
    path.write_text(VERILOG)
    verilog = Verilog(path)
    file = "hw/src/weir/channel/Gate.scala"
    assert verilog.declared("Gate_1", 3) == Place(file, 3)
    assert verilog.declared("Gate_1", 5) == Place(file, 2)  # a library's: the module's
    assert verilog.decided("Gate_1", 9) == Place(file, 6)
    assert verilog.decided("Gate_1", 11) == Place(file, 7)


def test_rooms():
    assert Key("channel/Bank.scala", "toggle", "Bank.open").room == "channel"
    assert Key("Weir.scala", "toggle", "Weir.reset").room == "weir"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no coverage of Verilator's"),
        ("# SystemC::Coverage-3\nC 'broken' 1\n", "coverage.dat:2: is no coverage point"),
        ("# SystemC::Coverage-3\n" + point("a", 1, "toggle", "m", "s", 0).replace("' 0", "' x"), ":2: is no"),
    ],
)
def test_broken_counts_are_refused(tree, capsys, text, complaint):
    code, output = tree({"small": text}, "")
    assert code == 2
    assert complaint in capsys.readouterr().err
    assert not output.exists()


def test_verilog_of_older_sources_is_refused(tree, tmp_path, capsys):
    source = tmp_path / "hw" / "src" / "weir" / "channel" / "Gate.scala"
    source.write_text("class Gate\n")
    code, _ = tree({"small": data("small")}, "")
    assert code == 2
    assert "Gate.scala has 1 lines, but the Verilog names line 6: it is older" in capsys.readouterr().err


def test_no_runs_are_refused(tree, capsys):
    code, _ = tree({}, "")
    assert code == 2
    assert "nothing was simulated with coverage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('kind = "toggle"', 'kind = "line"', "entry 1: kind = 'line': must be 'toggle' or 'branch'"),
        ('reason = "the gate never fills"', 'reason = " "', "entry 1: its reason is empty"),
        ('reason = "the gate never fills"', "", "entry 1 has no reason"),
        ("parts", "bits", "entry 1 has bits: known are file, kind, name, parts, reason"),
        ("Gate\\\\.level", "(", "'(' is no regular expression"),
    ],
)
def test_broken_lists_are_refused(tree, capsys, old, new, complaint):
    assert old in LEVEL
    code, _ = tree({"small": data("small")}, LEVEL.replace(old, new))
    assert code == 2
    assert complaint in capsys.readouterr().err


def test_the_list_of_the_tree_can_be_read():
    entries = exclusions.load(Path(__file__).resolve().parent / "unreached.toml")
    sources = collect.ROOT / "hw" / "src" / "weir"
    for entry in entries:
        assert list(sources.glob(entry.file)) or "*" in entry.file, f"{entry.file}: there is no such file"


def test_points(tmp_path: Path):
    path = tmp_path / "coverage.dat"
    path.write_text(data("small"))
    points = list(read(path))
    assert len(points) == 9
    assert (points[0].module, points[0].toggle, points[0].name, points[0].count) == ("Gate_1", True, "open:0->1", 5)
    assert not points[5].toggle
