// SPDX-License-Identifier: Apache-2.0
// Tells the simulator of each walk through page tables that a miss in a TLB of a Rocket hart makes necessary, and of
// each entry of a page table that is read for it; what the walker still has of entries it does not read.
module page_walks (
    input logic        clock,
    input logic        data,          // the data TLB's request is taken
    input logic        instructions,  // the instruction TLB's
    input logic        read,          // an entry has come
    input logic [31:0] hart
);
  import "DPI-C" function void hart_walks(
    input int hart,
    input bit data,
    input bit instructions,
    input bit read
  );

  always_ff @(posedge clock) if (data | instructions | read) hart_walks(int'(hart), data, instructions, read);
endmodule

bind RocketTile page_walks walked (
    .clock(clock),
    .data(ptw_io_requestor_0_req_ready & ptw_io_requestor_0_req_valid & ~reset),
    .instructions(ptw_io_requestor_1_req_ready & ptw_io_requestor_1_req_valid & ~reset),
    .read(ptw_io_mem_resp_valid & ~reset),
    .hart(32'(core_io_hartid))
);
