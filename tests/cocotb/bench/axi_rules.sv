// SPDX-License-Identifier: Apache-2.0
//
// Watches the answers of one AXI4 port, in the clock domain of `clock`: what a subordinate must keep to whatever its
// manager does (ARM IHI 0022, A3.2.1 handshake, A3.3 relations between channels). A broken rule ends the simulation.
module axi_rules #(
    parameter int DATA_BITS = 64,
    parameter int ID_BITS   = 4
) (
    input logic clock,
    input logic reset,
    input logic wlast_is_wrong,  // the manager's: nothing follows from WLAST
    input logic awvalid,
    input logic awready,
    input logic wlast,
    input logic wvalid,
    input logic wready,
    input logic [ID_BITS-1:0] bid,
    input logic [1:0] bresp,
    input logic bvalid,
    input logic bready,
    input logic [7:0] arlen,
    input logic arvalid,
    input logic arready,
    input logic [ID_BITS-1:0] rid,
    input logic [DATA_BITS-1:0] rdata,
    input logic [1:0] rresp,
    input logic rlast,
    input logic rvalid,
    input logic rready
);
  // Bursts of which the answer is owed, bursts of which all data have come, beats that are owed.
  int owed_b, data_b, owed_r;

  always_ff @(posedge clock) begin
    if (reset) begin
      owed_b <= 0;
      data_b <= 0;
      owed_r <= 0;
    end else begin
      owed_b <= owed_b + 32'(awvalid && awready) - 32'(bvalid && bready);
      data_b <= data_b + 32'(wvalid && wready && wlast) - 32'(bvalid && bready);
      owed_r <= owed_r + ((arvalid && arready) ? 32'(arlen) + 1 : 0) - 32'(rvalid && rready);
    end
  end

  bvalid_stays :
  assert property (@(posedge clock) disable iff (reset) bvalid && !bready |=> bvalid)
  else $fatal(1, "AXI rule: BVALID fell before BREADY");
  b_is_stable :
  assert property (@(posedge clock) disable iff (reset) bvalid && !bready |=> $stable({bid, bresp}))
  else $fatal(1, "AXI rule: B changed before BREADY");
  rvalid_stays :
  assert property (@(posedge clock) disable iff (reset) rvalid && !rready |=> rvalid)
  else $fatal(1, "AXI rule: RVALID fell before RREADY");
  r_is_stable :
  assert property (@(posedge clock) disable iff (reset) rvalid && !rready |=> $stable({rid, rdata, rresp, rlast}))
  else $fatal(1, "AXI rule: R changed before RREADY");
  b_is_owed :
  assert property (@(posedge clock) disable iff (reset) bvalid |-> owed_b > 0 && (data_b > 0 || wlast_is_wrong))
  else $fatal(1, "AXI rule: BVALID before the address or the last beat of its burst");
  r_is_owed :
  assert property (@(posedge clock) disable iff (reset) rvalid |-> owed_r > 0)
  else $fatal(1, "AXI rule: RVALID before the address of its burst");
  quiet_in_reset :
  assert property (@(posedge clock) reset && $past(reset) |-> !bvalid && !rvalid)
  else $fatal(1, "AXI rule: BVALID or RVALID in reset");
endmodule
