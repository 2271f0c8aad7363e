// SPDX-License-Identifier: Apache-2.0
//
// No read starves: one that was taken into the channel has its column command within the bound of AccessQueue's documentation,
// two age limits, and for each entry of the queue a row conflict. The queue has two entries and the age limit is four cycles;
// there are reads only and no refresh, as the bound counts only cycles in which the rank serves the queue.

`default_nettype none

module starvation (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  localparam integer AgeLimit = 4;
  localparam integer ENTRIES = 2;
  // cycles from the choice of a precharge to that of the column command: tRP, tRCD, and for each of the three commands the
  // cycle of its choice, and tRAS before
  localparam integer CONFLICT = 7;
  localparam integer BOUND = 2 * AgeLimit + ENTRIES * CONFLICT;

  Weir weir (
      .clock(clock),
      .reset(reset),
      .s_axil_awvalid(1'b0),
      .s_axil_wvalid(1'b0),
      .s_axil_arvalid(1'b0),
      .s_axil_bready(1'b1),
      .s_axil_rready(1'b1),
      .dfi_phymstr_req(1'b0)
  );
  (* hierconn *) wire \weir.channels_0.io_reads_valid , \weir.channels_0.io_reads_ready ;
  (* hierconn *) wire [1:0] \weir.channels_0.io_reads_bits_tag_slot ;
  (* hierconn *) wire \weir.channels_0.returning.io_read_valid ;
  (* hierconn *) wire [1:0] \weir.channels_0.returning.io_read_bits_slot ;
  wire comes = \weir.channels_0.io_reads_valid && \weir.channels_0.io_reads_ready ;
  wire [1:0] tag = \weir.channels_0.io_reads_bits_tag_slot ;
  wire goes = \weir.channels_0.returning.io_read_valid ;
  wire [1:0] gone = \weir.channels_0.returning.io_read_bits_slot ;

  // One read is watched, any one; no other has its tag meanwhile.
  (* anyseq *) wire chosen;
  reg watched = 0;
  reg [1:0] watched_tag;
  reg [6:0] waited = 0;
  wire leaves = watched && goes && gone == watched_tag;
  always_comb contract_tags : assume (!(watched && comes && tag == watched_tag));
  always @(posedge clock) begin
    watched <= !reset && (watched ? !leaves : comes && chosen);
    if (!watched) watched_tag <= tag;
    waited <= watched ? waited + 1 : 0;
  end
  wire late = watched && waited >= BOUND;
  always @(posedge clock) if (!reset) within_bound : assert (!late);

`ifdef COVERS
  `include "covers.svh"
  // two rows of a bank are enough to find a way
  (* hierconn *)wire [1:0] \weir.channels_0.io_reads_bits_location_bank ;
  (* hierconn *)wire [7:0] \weir.channels_0.io_reads_bits_location_row ;
  (* hierconn *)wire [1:0] \weir.channels_0.io_reads_bits_location_column ;
  always_comb begin
    few_banks : assume (\weir.channels_0.io_reads_bits_location_bank == 0);
    few_rows : assume (\weir.channels_0.io_reads_bits_location_row < 2);
    few_columns : assume (\weir.channels_0.io_reads_bits_location_column == 0);
  end
  reg [2:0] passed = 0;
  always @(posedge clock) begin
    passed <= !watched ? 0 : passed + (goes && !leaves && passed != 7);
    if (!reset && whole) waits_for_hits_of_others : cover (leaves && passed > 3);
  end
`endif
endmodule
