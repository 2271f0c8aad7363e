# SPDX-License-Identifier: Apache-2.0
"""What a design stores: of a design of a few lines, and of the generator's counters of accesses."""

from pathlib import Path

import pytest
from storage import Storage, storage
from tools import ToolError

ROOT = Path(__file__).resolve().parents[3]

DESIGN = """
module Ram(input clock, output reg [7:0] readData);
  (* ram_style = "block", no_rw_check *) reg [7:0] memory[0:15];
  always @(posedge clock) readData <= memory[0];
endmodule
module Inner(input clock, input a);
  reg  [3:0] four;	// reg [99:0] none;
  reg        one;
  reg  [9:0] wires;
  always_comb wires = 10'h0;
  always @(posedge clock) begin
    four <= {4{a}};
    if (a) one <= four[0] & four <= 4'h3;
  end
  Ram ram (
    .clock (clock)
  );
endmodule
module Weir(input clock);
  Inner first (
    .clock (clock)
  );
  Inner second (
    .clock (clock)
  );
  reg [1:0] Memory[0:3];
endmodule
"""


def test_instances_hold_what_is_inside():
    found = storage(DESIGN)
    inner = Storage(8 * 16, 5)
    assert found == {
        "": Storage(2 * 8 * 16 + 8, 10),
        "first": inner,
        "second": inner,
        "first.ram": Storage(8 * 16, 0),
        "second.ram": Storage(8 * 16, 0),
    }


def test_a_design_without_its_top_is_refused():
    with pytest.raises(ToolError, match="no module Top"):
        storage(DESIGN, "Top")


def test_the_counters_of_accesses_are_as_large_as_the_paper_says():
    """Rainbow, Table VI: 2 bytes for each superpage, 1 KiB for the pages of each chosen one, and its number; eight
    superpages in the region, three chosen, 16 records of a page's number (13 bits) and its count (15)."""
    found = storage((ROOT / "build" / "hw" / "test-hot-monitor" / "Weir.sv").read_text())
    assert found["place.monitor.superpages"].memory_bits == 8 * 16
    assert found["place.monitor.pages"].memory_bits == 3 * 512 * 16
    assert found["place.monitor.list"].memory_bits == 16 * (13 + 15)
    # number, whether the slot holds one, and the outcome of the comparison, of each; and one that an access is there
    assert found["place.monitor.pages.chosen"] == Storage(0, 3 * (4 + 1 + 1) + 1)
