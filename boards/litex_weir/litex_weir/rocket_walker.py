# SPDX-License-Identifier: Apache-2.0
"""A page walker that waits for the hart, put into the Verilog of the packaged Rocket.

The walker reads page tables through the hart's data cache, and goes first where both wait for it. A load or store that
has missed is tried again until its line is there; with a direct-mapped cache a walk that is served before it takes the
line away again, and where that walk is for the code behind the access, and so makes the instruction TLB's only entry
lose the access' own page, the next try needs a walk too, and so on for ever. The hart retires nothing then.

Here the walker's next read waits for some cycles after a line has come that the hart missed, which is enough for the
hart's next try.
"""

import re

from litex_weir.errors import WeirError

WAIT = 8
"""Cycles, in which a hart that has nothing else to wait for tries its access again."""

_GATE = f"""\
// After the last beat of a line that the hart missed, tells the page walker to wait for {WAIT} cycles.
module WalkerGate(
  input        clock,
  input        reset,
  input        acquire,      // the data cache asks for a line ...
  input        hart_missed,  // ... as an access of the hart's missed
  input        line_came,    // last beat of it
  output       waits
);
  reg       for_hart;
  reg [3:0] left;
  assign waits = left != 4'd0;
  always @(posedge clock) begin
    if (reset) begin
      for_hart <= 1'b0;
      left <= 4'd0;
    end else begin
      if (acquire) for_hart <= hart_missed;
      else if (line_came) for_hart <= 1'b0;
      if (line_came & for_hart) left <= 4'd{WAIT};
      else if (waits) left <= left - 4'd1;
    end
  end
endmodule
"""

# TileLink: Acquire is 6 or 7 on channel A, Grant and GrantData are 4 and 5 on channel D.
_INSTANCE = """\
  wire walker_waits;
  WalkerGate walkerGate (
    .clock(clock),
    .reset(reset),
    .acquire(dcache_auto_out_a_valid & dcache_auto_out_a_ready & dcache_auto_out_a_bits_opcode[2:1] == 2'h3),
    .hart_missed(dcacheArb_io_requestor_1_s2_nack),
    .line_came(dcache_io_cpu_perf_grant & dcache_auto_out_d_ready & dcache_auto_out_d_bits_opcode[2:1] == 2'h2),
    .waits(walker_waits)
  );
"""

_TILE = re.compile(r"^module RocketTile\(.*?^endmodule", re.MULTILINE | re.DOTALL)
_WALK = (
    r"(  assign dcacheArb_io_requestor_0_req_valid = ptw_io_mem_req_valid);",
    r"(  assign ptw_io_mem_req_ready = dcacheArb_io_requestor_0_req_ready);",
)


def with_waiting_walker(verilog):
    """The text of a Rocket system's Verilog with a walker that waits in each of its tiles.

    Raises WeirError, with what was looked for, if this is not the Rocket that is known here.
    """
    tile = _once(_TILE, verilog)
    text = tile.group()
    for pattern in _WALK:
        found = _once(re.compile(pattern), text)
        text = f"{text[: found.end(1)]} & ~walker_waits{text[found.end(1) :]}"
    first = _once(re.compile(r"^  DCache dcache \(", re.MULTILINE), text).start()
    return f"{verilog[: tile.start()]}{_GATE}{text[:first]}{_INSTANCE}{text[first:]}{verilog[tile.end() :]}"


def _once(pattern, text):
    found = list(pattern.finditer(text))
    if len(found) != 1:
        raise WeirError(f"rocket: its Verilog has '{pattern.pattern}' {len(found)} times, where one is to be changed")
    return found[0]
