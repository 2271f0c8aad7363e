// SPDX-License-Identifier: Apache-2.0
//
// SlotPool lends every number to one at a time: what is lent is not lent again until it comes back, and nothing gets lost.

`default_nettype none

module slot_pool (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  (* anyseq *) wire take_ready;
  (* anyseq *) wire give_valid;
  (* anyseq *) wire [1:0] give_bits;
  wire take_valid;
  wire [1:0] take_bits;
  wire [3:0] used;
  SlotPool dut (
      .clock(clock),
      .reset(reset),
      .io_take_ready(take_ready),
      .io_take_valid(take_valid),
      .io_take_bits(take_bits),
      .io_give_valid(give_valid),
      .io_give_bits(give_bits),
      .io_used(used)
  );

  // What is lent, by the handshakes alone.
  reg [3:0] lent = 0;
  wire takes = take_valid && take_ready;
  wire [3:0] given = give_valid ? 4'd1 << give_bits : 4'b0;
  always_comb contract_give : assume (reset || !(given & ~lent));
  always @(posedge clock) lent <= reset ? 0 : lent & ~given | (takes ? 4'd1 << take_bits : 4'b0);

  wire lends_twice = takes && lent[take_bits];
  wire loses = take_valid != (lent != 4'hf);
  wire shows_wrong = used != lent;
  always @(posedge clock)
    if (!reset) begin
      not_twice : assert (!lends_twice);
      none_lost : assert (!loses);
      used_is_lent : assert (!shows_wrong);
    end
`ifdef COVERS
  `include "covers.svh"
  reg was_full = 0;
  always @(posedge clock) begin
    was_full <= !reset && (was_full || lent == 4'hf);
    if (!reset && whole) all_lent_and_back : cover (was_full && lent == 0);
  end
`endif
endmodule
