// SPDX-License-Identifier: Apache-2.0
//
// WriteStore with forwarding: any byte of any slot, as written and merged last, is what a read of the line and the write
// command get, and the mask keeps the bytes that were not written. `whole` tells the slots of which all bytes were.

`default_nettype none

module write_store (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  (* anyconst *) wire slot;
  (* anyconst *) wire [2:0] byte_of;

  (* anyseq *) wire put, merge, put_slot, take, peek;
  (* anyseq *)wire [63:0] data;
  (* anyseq *)wire [ 7:0] strobe;
  wire [63:0] taken, peeked;
  wire [7:0] mask;
  wire [1:0] its_whole;

  // What the slot holds, once something was put into it.
  reg known = 0;
  reg [7:0] strobed, held;
  wire mine = put && put_slot == slot;
  wire [7:0] strobed_next = strobe | (merge ? strobed : 8'b0);
  always_comb begin
    // a line is merged only into what is there
    contract_merge : assume (!(mine && merge) || known);
    contract_reset : assume (!reset || !put);
  end
  always @(posedge clock) begin
    known <= !reset && (known || mine);
    if (mine) strobed <= strobed_next;
    if (mine && strobe[byte_of]) held <= data[8*byte_of+:8];
  end

  WriteStore dut (
      .clock(clock),
      .io_put_valid(put),
      .io_put_bits_merge(merge),
      .io_put_bits_slot(2'd1 << put_slot),
      .io_put_bits_data(data),
      .io_put_bits_strobe(strobe),
      .io_whole(its_whole),
      .io_take_bits(take),
      .io_taken(taken),
      .io_takenMask(mask),
      .io_peek(2'd1 << peek),
      .io_peeked(peeked)
  );

  // writeLatency is 1: what is taken comes in the next cycle.
  reg due = 0;
  reg due_strobed;
  reg [7:0] due_held;
  always @(posedge clock) begin
    due <= !reset && known && take == slot;
    due_strobed <= strobed[byte_of];
    due_held <= held;
  end

  wire taken_wrong = due && due_strobed && taken[8*byte_of+:8] != due_held;
  wire mask_wrong = due && mask[byte_of] == due_strobed;
  wire peeked_wrong = known && peek == slot && strobed[byte_of] && peeked[8*byte_of+:8] != held;
  wire whole_wrong = known && its_whole[slot] != &strobed;
  always @(posedge clock)
    if (!reset) begin
      taken_is_written : assert (!taken_wrong);
      mask_is_unwritten : assert (!mask_wrong);
      peeked_is_written : assert (!peeked_wrong);
      whole_is_whole : assert (!whole_wrong);
    end

  // What the induction must know: the memories hold the same.
  (* hierconn *) wire [7:0] \dut.strobes_ext.Memory[0] , \dut.strobes_ext.Memory[1] ;
  (* hierconn *) wire [63:0] \dut.data_ext.Memory[0] , \dut.data_ext.Memory[1] ;
  wire [ 7:0] strobes_there = slot ? \dut.strobes_ext.Memory[1] : \dut.strobes_ext.Memory[0] ;
  wire [63:0] data_there = slot ? \dut.data_ext.Memory[1] : \dut.data_ext.Memory[0] ;
  always @(posedge clock)
    if (!reset) begin
      invariant_strobes : assert (!known || strobes_there == strobed);
      invariant_data : assert (!known || !strobed[byte_of] || data_there[8*byte_of+:8] == held);
    end

`ifdef COVERS
  `include "covers.svh"
  wire violated = taken_wrong || mask_wrong || peeked_wrong || whole_wrong;
  reg [1:0] merges = 0;
  always @(posedge clock) begin
    merges <= reset || mine && !merge ? 0 : merges + (mine && merge && merges != 3);
    if (!reset && whole) merged_until_whole : cover (merges == 3 && its_whole[slot] && due);
  end
`endif
endmodule
