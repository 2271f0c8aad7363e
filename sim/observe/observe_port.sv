// SPDX-License-Identifier: Apache-2.0
//
// Tells the recount of observe_all.sv what happens on AXI4 port PORT. Clock domain: `clock`.
module observe_port #(
    parameter int PORT         = 0,
    parameter int ID_BITS      = 4,
    parameter int ADDRESS_BITS = 32
) (
    input logic                    clock,
    input logic                    watch,
    input logic [     ID_BITS-1:0] awid,
    input logic [     ID_BITS-1:0] arid,
    input logic [     ID_BITS-1:0] rid,
    input logic [ADDRESS_BITS-1:0] awaddr,
    input logic [ADDRESS_BITS-1:0] araddr,
    input logic [             7:0] awlen,
    input logic [             7:0] arlen,
    input logic [             2:0] awsize,
    input logic [             2:0] arsize,
    input logic [             1:0] awburst,
    input logic [             1:0] arburst,
    input logic                    awvalid,
    input logic                    awready,
    input logic                    arvalid,
    input logic                    arready,
    input logic                    rlast,
    input logic                    rvalid,
    input logic                    rready
);
  import "DPI-C" function bit weir_observe_asked(
    input int port,
    input bit write,
    input int id,
    input longint address,
    input int len,
    input int size,
    input int burst
  );
  import "DPI-C" function bit weir_observe_offered(
    input int port,
    input int id,
    input bit last,
    input bit taken
  );

  always_ff @(posedge clock)
    if (watch) begin
      automatic bit good = 1;
      // R first: nothing is answered in the cycle in which it is asked for
      if (rvalid) good &= weir_observe_offered(PORT, int'(rid), rlast, rready);
      if (arvalid && arready)
        good &= weir_observe_asked(PORT, 0, int'(arid), longint'(araddr), int'(arlen), int'(arsize), int'(arburst));
      if (awvalid && awready)
        good &= weir_observe_asked(PORT, 1, int'(awid), longint'(awaddr), int'(awlen), int'(awsize), int'(awburst));
      if (!good) $fatal(1, "observe_port: port %0d is not understood", PORT);
    end
endmodule
