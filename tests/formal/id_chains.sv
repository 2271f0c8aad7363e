// SPDX-License-Identifier: Apache-2.0
//
// IdChains keeps order within an id: of the slots of an id only the one that was appended first is a head, and when it leaves
// the next one is. Slots are in use from the cycle in which they are appended, as in ReadBuffer.

`default_nettype none

module id_chains (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  (* anyseq *) wire append;
  (* anyseq *) wire [1:0] append_slot;
  (* anyseq *) wire append_id;
  (* anyseq *) wire [1:0] slot;
  (* anyseq *) wire release_it;
  wire [3:0] heads;
  wire successor_valid;
  wire [1:0] successor;

  // Chains by a matrix: earlier[4*a+b]: slot a was appended before slot b.
  reg [3:0] chained = 0, ids;
  reg  [15:0] earlier;
  wire [ 3:0] appended = append ? 4'd1 << append_slot : 4'b0;
  wire [ 3:0] released = release_it ? 4'd1 << slot : 4'b0;

  IdChains dut (
      .clock(clock),
      .reset(reset),
      .io_used(chained | appended),
      .io_append_valid(append),
      .io_append_bits_slot(append_slot),
      .io_append_bits_id(append_id),
      .io_heads(heads),
      .io_slot(slot),
      .io_successor_valid(successor_valid),
      .io_successor_bits(successor),
      .io_release(release_it)
  );

  // Of each slot: whether it comes directly behind another of its id, and which; whether it is the first, the last.
  reg [3:0] first, last;
  reg [15:0] behind;  // behind[4*a+b]: b is the next of a's id after a
  integer a, b, c;
  always_comb begin
    first = chained;
    last  = chained;
    for (a = 0; a < 4; a = a + 1)
    for (b = 0; b < 4; b = b + 1) begin
      behind[4*a+b] = a != b && chained[a] && chained[b] && ids[a] == ids[b] && earlier[4*a+b];
      if (behind[4*a+b]) begin
        first[b] = 0;
        last[a]  = 0;
      end
      for (c = 0; c < 4; c = c + 1)
      if (chained[c] && ids[c] == ids[a] && earlier[4*a+c] && earlier[4*c+b] && c != a && c != b) behind[4*a+b] = 0;
    end
  end

  always_comb begin
    if (!reset) begin
      contract_append : assume (!append || !chained[append_slot]);
      contract_release : assume (!release_it || first[slot]);
    end else contract_reset : assume (!append && !release_it);
  end
  always @(posedge clock) begin
    chained <= reset ? 0 : chained & ~released | appended;
    if (append) ids[append_slot] <= append_id;
    for (a = 0; a < 4; a = a + 1)
    for (b = 0; b < 4; b = b + 1)
    if (appended[b]) earlier[4*a+b] <= chained[a];
    else if (appended[a]) earlier[4*a+b] <= 0;
  end

  wire wrong_heads = heads != first;
  wire wrong_successor = first[slot] && (successor_valid == last[slot] || !last[slot] && !behind[4*slot+successor]);
  always @(posedge clock)
    if (!reset) begin
      heads_are_first : assert (!wrong_heads);
      successor_is_next : assert (!wrong_successor);
    end

  // What the induction must know: the links of the design are those of the matrix, and the matrix is an order.
  (* hierconn *)
  wire \dut.ids_ext.Memory[0] , \dut.ids_ext.Memory[1] , \dut.ids_ext.Memory[2] , \dut.ids_ext.Memory[3] ;
  (* hierconn *) wire [1:0] \dut.next_ext.Memory[0] , \dut.next_ext.Memory[1] ;
  (* hierconn *) wire [1:0] \dut.next_ext.Memory[2] , \dut.next_ext.Memory[3] ;
  (* hierconn *) wire [1:0] \dut.youngest_ext.Memory[0] , \dut.youngest_ext.Memory[1] ;
  (* hierconn *) wire [3:0] \dut.followed ;
  wire [3:0] its_ids = {
    \dut.ids_ext.Memory[3] , \dut.ids_ext.Memory[2] , \dut.ids_ext.Memory[1] , \dut.ids_ext.Memory[0]
  };
  wire [7:0] its_next = {
    \dut.next_ext.Memory[3] , \dut.next_ext.Memory[2] , \dut.next_ext.Memory[1] , \dut.next_ext.Memory[0]
  };
  wire [3:0] its_youngest = {\dut.youngest_ext.Memory[1] , \dut.youngest_ext.Memory[0] };
  wire [3:0] its_followed = \dut.followed ;
  reg consistent;
  always_comb begin
    consistent = 1;
    for (a = 0; a < 4; a = a + 1) begin
      if (chained[a] && its_ids[a] != ids[a]) consistent = 0;
      if (chained[a] && its_followed[a] == last[a]) consistent = 0;
      if (last[a] && its_youngest[2*ids[a]+:2] != a) consistent = 0;
      for (b = 0; b < 4; b = b + 1) begin
        if (behind[4*a+b] && its_next[2*a+:2] != b) consistent = 0;
        if (chained[a] && chained[b] && a != b && earlier[4*a+b] == earlier[4*b+a]) consistent = 0;
        for (c = 0; c < 4; c = c + 1)
        if (chained[a] && chained[b] && chained[c] && earlier[4*a+b] && earlier[4*b+c] && !earlier[4*a+c] && a != c)
          consistent = 0;
      end
      if (earlier[5*a] && chained[a]) consistent = 0;
    end
  end
  always @(posedge clock) if (!reset) invariant_links : assert (consistent);

`ifdef COVERS
  `include "covers.svh"
  wire violated = wrong_heads || wrong_successor;
  reg  was_chain = 0;
  always @(posedge clock) begin
    was_chain <= !reset && (was_chain || (&chained && (&ids || !(|ids)) && heads[3]));
    if (!reset && whole) begin
      chain_of_four_leaves : cover (was_chain && chained == 0);
      successor_of_released_while_appended : cover (release_it && successor_valid && append && append_id == ids[slot]);
    end
  end
`endif
endmodule
