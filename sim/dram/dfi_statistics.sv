// SPDX-License-Identifier: Apache-2.0
//
// Latches the counts of a DRAM model (dfi_dram.sv with the same NAME): in each cycle with `latch` high the model keeps all
// counts as they were at the end of the cycle before, and writes them to the file of its +NAME_statistics.
//
// Clock domain: `clock`, the model's. `latch` must come from its rising edge and is looked at on the falling edge, so that
// it is certain which cycles are counted.
module dfi_statistics #(
    parameter string NAME = "dram"
) (
    input logic clock,
    input logic latch
);
  import "DPI-C" function bit weir_dram_latch(input string name);

  always_ff @(negedge clock)
    if (latch && !weir_dram_latch(NAME))
      $fatal(1, "dfi_statistics: no counts of a DRAM model '%s'", NAME);
endmodule
