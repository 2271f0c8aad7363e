// SPDX-License-Identifier: Apache-2.0
// Tells the simulator of each instruction that a hart retires: bound into the CSR file of each Rocket hart, which counts
// them too, but in a CSR that the guest may write.
module retirement (
    input logic        clock,    // the hart's, which stands still while it sleeps
    input logic        retired,
    input logic [31:0] hart
);
  import "DPI-C" function void hart_retired(input int hart);

  always_ff @(posedge clock) if (retired) hart_retired(int'(hart));
endmodule

bind CSRFile retirement counted (
    .clock(clock),
    .retired(io_retire & ~reset),
    .hart(32'(io_hartid))
);
