# SPDX-License-Identifier: Apache-2.0
"""Changes to the Verilog of a design are made as asked, or refused."""

import pytest
import verilog

DESIGN = verilog.load("""module Queue(	// Queue.scala:1:2
  input        clock,
  input  [1:0] io_in,
  output [7:0] io_out,
               io_more,
  output       io_valid
);

  assign io_out = {4{io_in}};	// Queue.scala:3:4
  assign io_valid = io_in == 2'h1;
endmodule

""")


def test_a_module_is_left_free():
    text = verilog.free(DESIGN, "Que.*", io_more="io_out")
    assert "assign io_more = io_out;" in text
    assert "(* anyseq *) wire [7:0] free_io_out;" in text
    assert "(* anyseq *) wire  free_io_valid;" in text
    assert "{4{io_in}}" not in text


def test_only_what_a_module_is_made_of_is_kept():
    design = DESIGN + "module Room(\n  input clock\n);\n\n  Queue queue (\n    .clock (clock)\n  );\nendmodule\n"
    assert verilog.modules(verilog.only(design, "Room"), r"\w+") == ["Room", "Queue"]
    assert verilog.modules(verilog.only(design, "Queue"), r"\w+") == ["Queue"]
    with pytest.raises(verilog.ChangeError, match="module Hall occurs 0 times, not once"):
        verilog.only(design, "Hall")


def test_an_expression_is_made_another_by_number():
    text = verilog.faults(
        DESIGN, "Queue", [(1, r"io_valid = (?P<is>.*);", "1'b0"), (2, r"io_valid = (?P<is>.*);", "1'b1")]
    )
    assert "(mutant == 8'd2 ? (1'b1) : (mutant == 8'd1 ? (1'b0) : (io_in == 2'h1)))" in text
    assert text.count("wire [7:0] mutant;") == 1


@pytest.mark.parametrize("where", [r"(?P<is>io_gone)", r"(?P<is>io_in)"])
def test_an_expression_that_does_not_occur_once_is_refused(where):
    with pytest.raises(verilog.ChangeError, match=r"module Queue: .* occurs \d times, not once"):
        verilog.faults(DESIGN, "Queue", [(1, where, "0")])


def test_what_is_not_there_is_refused():
    with pytest.raises(verilog.ChangeError, match="no module matches"):
        verilog.free(DESIGN, "Stack")
    with pytest.raises(verilog.ChangeError, match="has no output io_gone"):
        verilog.free(DESIGN, "Queue", io_gone="0")
    with pytest.raises(verilog.ChangeError, match="occurs 0 times"):
        verilog.replace(DESIGN, "io_gone", "io_in")


def test_assertions_of_the_design_are_proven():
    text = verilog.load(
        'if (`ASSERT_VERBOSE_COND_)\n  $error("Assertion failed: Queue: full\\n");\nif (`STOP_COND_)\n  $fatal;\n'
    )
    assert text.split() == ["assert", "(0);"]


def test_an_output_may_have_any_value_in_every_cycle():
    text = verilog.loosen(DESIGN, "Queue", io_out="free_io_out | 8'd1")
    assert "(* anyseq *) wire [7:0] free_io_out;\n  assign io_out = free_io_out | 8'd1;" in text
    assert "assign io_valid = io_in == 2'h1;" in text
    assert "{4{io_in}}" not in text
    with pytest.raises(verilog.ChangeError, match="module Queue has no output io_gone"):
        verilog.loosen(DESIGN, "Queue", io_gone="0")
    with pytest.raises(verilog.ChangeError, match="occurs 0 times"):
        verilog.loosen(DESIGN, "Queue", io_more="0")
