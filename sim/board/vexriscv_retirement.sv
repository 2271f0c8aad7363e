// SPDX-License-Identifier: Apache-2.0
// Tells the simulator of each instruction that VexRiscv retires, for its watch over hangs and its count.
module vexriscv_retirement (
    input logic clock,
    input logic retired
);
  import "DPI-C" function void hart_retired(input int hart);

  always_ff @(posedge clock) if (retired) hart_retired(0);
endmodule

bind VexRiscv vexriscv_retirement counted (
    .clock  (clk),
    .retired(lastStageIsFiring & ~reset)
);
