// SPDX-License-Identifier: Apache-2.0
//
// Reset in the first cycles and never again, long enough for timings in registers to reach what is made of them.

module reset_first (
    input  clock,
    output reset
);
  reg [2:0] cycle = 0;
  assign reset = cycle < 4;
  always @(posedge clock) if (reset) cycle <= cycle + 1;
endmodule
