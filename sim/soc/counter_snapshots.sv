// SPDX-License-Identifier: Apache-2.0
// Tells the simulator when Weir copies its counters for software to read.
module counter_snapshots (
    input logic clock,
    input logic latch
);
  import "DPI-C" function void counters_latched();

  always_ff @(posedge clock) if (latch) counters_latched();
endmodule

bind Observe counter_snapshots told (
    .clock(clock),
    .latch(io_counters_latch & ~reset)
);
