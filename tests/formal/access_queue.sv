// SPDX-License-Identifier: Apache-2.0
//
// AccessQueue: every entry leaves once, with its own data, for a column command to the row that is open, the oldest of those
// that the bank has; nothing else leaves. An activate gets the row of the oldest entry of its bank.
//
// The channel around it is as free as its contract allows: banks are chosen among those that the queue offered in the cycle
// before, a column command while the bank is open, an activate while it is closed; banks are closed at any time, and opened
// for the other queue, but never two of these for one bank in a cycle. With FAST (no register of Pipeline) an activate is on the DFI in the
// cycle in which its bank's entry is asked for, else a cycle later, and a class rests for a cycle after each command.

`default_nettype none

module access_queue (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

`ifdef FAST
  localparam integer RANKS = 2;
`else
  localparam integer RANKS = 1;
`endif
  localparam integer ALL = 4 * RANKS;
  localparam integer BITS = $clog2(ALL);

  (* anyseq *) wire offered;
  (* anyseq *) wire [BITS-1:0] bank;
  (* anyseq *) wire [7:0] row;
  (* anyseq *) wire [1:0] column;
  (* anyseq *) wire [1:0] tag;
  (* anyseq *) wire column_valid, activate_valid, opens_other;
  (* anyseq *) wire [BITS-1:0] column_bank, opens_bank;
  (* anyseq *) wire [7:0] other_row;
  (* anyseq *) wire closes, closes_all;
  (* anyseq *) wire [BITS-1:0] closes_bank;
  wire [ALL-1:0] of_rank = 4'hf << (4 * (closes_bank / 4));
  wire [ALL-1:0] closed = !closes ? 0 : closes_all ? of_rank : {{ALL - 1{1'b0}}, 1'b1} << closes_bank;
  (* anyseq *) wire [RANKS-1:0] served;
  (* anyseq *) wire age;

  wire ready;
  wire [ALL-1:0] hits, columns, misses, waiting;
  wire [1:0] entry_column, entry_tag;
  wire [7:0] activate_row;
  wire [1:0] level;
  wire opens = activate_valid || opens_other;

  reg [ALL-1:0] open = 0;
  reg [8*ALL-1:0] rows;

  // ---- What it should hold: two entries in the order of their coming
  reg [1:0] full = 0;  // 0: the older (or only) entry, 1: the younger
  reg [BITS-1:0] banks[2];
  reg [7:0] rows_of[2];
  reg [1:0] columns_of[2];
  reg [1:0] tags[2];

  wire [1:0] can_leave, can_open;
  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_entry
      assign can_leave[i] = full[i] && banks[i] == column_bank && rows[8*column_bank+:8] == rows_of[i];
      assign can_open[i]  = full[i] && banks[i] == opens_bank;
    end
  endgenerate
  wire leaving = !can_leave[0];  // the oldest of those that can
  wire opening = !can_open[0];

  // ---- The rows that are open, by the commands that were chosen
  wire [7:0] opens_row = activate_valid ? rows_of[opening] : other_row;
`ifdef FAST
  wire opened = opens;
  wire [BITS-1:0] opened_bank = opens_bank;
  wire [7:0] opened_row = opens_row;
`else
  reg opened = 0;
  reg [BITS-1:0] opened_bank;
  reg [7:0] opened_row;
  always @(posedge clock) begin
    opened <= !reset && opens;
    opened_bank <= opens_bank;
    opened_row <= opens_row;
  end
`endif
  always @(posedge clock) begin
    open <= reset ? 0 : open & ~closed | (opens ? 1 << opens_bank : 0);
    if (opens) rows[8*opens_bank+:8] <= opens_row;
  end
  wire hit = opened && opened_bank == bank ? opened_row == row : open[bank] && !closed[bank] && rows[8*bank+:8] == row;

  // ---- The contract
  reg [ALL-1:0] columns_before = 0, misses_before = 0;
  reg column_before = 0, opens_before = 0;
  always @(posedge clock) begin
    columns_before <= reset ? 0 : columns;
    misses_before  <= reset ? 0 : misses;
    column_before  <= !reset && column_valid;
    opens_before   <= !reset && opens;
  end
  always_comb begin
    contract_reset : assume (!reset || !offered && !column_valid && !opens && closed == 0);
    contract_column : assume (!column_valid || columns_before[column_bank] && open[column_bank]);
    contract_activate : assume (!activate_valid || misses_before[opens_bank] && !opens_other);
    contract_opens : assume (!opens || !open[opens_bank]);
    contract_closed : assume (!(column_valid && closed[column_bank]) && !(opens && closed[opens_bank]));
`ifndef FAST
    contract_one_entry : assume (!(column_valid && activate_valid));
    contract_rest : assume (!(column_valid && column_before) && !(opens && opens_before));
    // tRAS is longer than a cycle
    contract_tras : assume (!(opened && closed[opened_bank]));
`endif
  end

  AccessQueue dut (
      .clock(clock),
      .reset(reset),
      .io_enqueue_ready(ready),
      .io_enqueue_valid(offered),
`ifdef FAST
      .io_enqueue_bits_location_rank(bank[BITS-1]),
`endif
      .io_enqueue_bits_location_bank(bank[1:0]),
      .io_enqueue_bits_location_row(row),
      .io_enqueue_bits_location_column(column),
      .io_enqueue_bits_payload_tag_slot(tag),
      .io_enqueueHit(hit),
      .io_hits(hits),
      .io_columns(columns),
      .io_misses(misses),
      .io_waiting(waiting),
      .io_column_valid(column_valid),
      .io_column_bits(column_bank),
      .io_columnEntry_column(entry_column),
      .io_columnEntry_payload_tag_slot(entry_tag),
      .io_activate_valid(activate_valid),
      .io_activate_bits(opens_bank),
      .io_activateRow(activate_row),
      .io_opens_valid(opens),
      .io_opens_bits(opens_bank),
      .io_openedRow(opened_row),
      .io_closes_valid(closes),
      .io_closes_bits(closes_bank),
      .io_closesAll(closes_all),
      .io_served(served),
      .io_age(age),
      .io_level(level)
  );

  wire takes = offered && ready;
  wire drops_older = column_valid && !leaving;
  wire drops_younger = column_valid && leaving;

  always @(posedge clock)
    if (reset) full <= 0;
    else begin
      full[0] <= drops_older ? full[1] || takes : full[0] || takes;
      full[1] <= drops_older ? full[1] && takes : full[1] && !drops_younger || full[0] && takes;
      if (drops_older) begin
        banks[0] <= banks[1];
        rows_of[0] <= rows_of[1];
        columns_of[0] <= columns_of[1];
        tags[0] <= tags[1];
      end
      if (takes) begin
        if (!full[0] || drops_older && !full[1]) begin
          banks[0] <= bank;
          rows_of[0] <= row;
          columns_of[0] <= column;
          tags[0] <= tag;
        end else begin
          banks[1] <= bank;
          rows_of[1] <= row;
          columns_of[1] <= column;
          tags[1] <= tag;
        end
      end
    end

  wire leaves_none = column_valid && can_leave == 0;
`ifdef FAST
  wire left = column_valid;
  wire activated = activate_valid;
  wire [1:0] due_tag = tags[leaving];
  wire [1:0] due_column = columns_of[leaving];
  wire [7:0] due_row = rows_of[opening];
`else
  // entries are read when their command is on the DFI
  reg left = 0;
  reg activated = 0;
  reg [1:0] due_tag, due_column;
  reg [7:0] due_row;
  always @(posedge clock) begin
    left <= !reset && column_valid;
    activated <= !reset && activate_valid;
    due_tag <= tags[leaving];
    due_column <= columns_of[leaving];
    due_row <= rows_of[opening];
  end
`endif
  wire leaves_wrong = left && (entry_tag != due_tag || entry_column != due_column);
  wire opens_none = activate_valid && can_open == 0;
  wire opens_wrong = activated && activate_row != due_row;
  wire count_wrong = level != full[0] + full[1] || ready != !full[1];
  wire offers_wrong = (columns & ~hits) != 0 || (hits & ~waiting) != 0;
  always @(posedge clock)
    if (!reset) begin
      something_leaves : assert (!leaves_none);
      leaves_with_its_data : assert (!leaves_wrong);
      opens_for_something : assert (!opens_none);
      opens_its_row : assert (!opens_wrong);
      nothing_lost_or_doubled : assert (!count_wrong);
      columns_are_hits_and_these_wait : assert (!offers_wrong);
    end

  // ---- What the induction must know: which slot holds which entry, and which of them have their row open
  (* hierconn *) wire [1:0] \dut.valid , \dut.hit ;
  (* hierconn *) wire [1:0] \dut._order_io_before_0 , \dut._order_io_before_1 ;
  (* hierconn *) wire [BITS-1:0] \dut.banks_0 , \dut.banks_1 ;
  (* hierconn *) wire [ALL-1:0] \dut.bankBit_0 , \dut.bankBit_1 ;
  (* hierconn *) wire [7:0] \dut.rows_0 , \dut.rows_1 , \dut.rowsRead_ext.Memory[0] , \dut.rowsRead_ext.Memory[1] ;
  (* hierconn *) wire [1:0] \dut.columns_ext.Memory[0] , \dut.columns_ext.Memory[1] ;
  (* hierconn *) wire [1:0] \dut.payloads_ext.Memory[0] , \dut.payloads_ext.Memory[1] ;
  wire [1:0] valid = \dut.valid ;
  wire [1:0] hit_of = \dut.hit ;
  // the slot of the older entry
  wire [1:0] before_0 = \dut._order_io_before_0 ;
  wire [1:0] before_1 = \dut._order_io_before_1 ;
  wire older = valid == 2'b10 || valid == 2'b11 && !before_1[0];
`ifndef FAST
  (* hierconn *)wire [1:0] \dut.ofOpened ;
  wire [1:0] of_opened = \dut.ofOpened ;
`endif
  wire [1:0] same;
  wire [1:0] right_hit;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_held
      // slot of entry i
      wire slot = i == 0 ? older : !older;
      wire [BITS-1:0] its_bank = slot ? \dut.banks_1 : \dut.banks_0 ;
      wire [ALL-1:0] its_bit = slot ? \dut.bankBit_1 : \dut.bankBit_0 ;
      wire [7:0] its_row = slot ? \dut.rows_1 : \dut.rows_0 ;
      wire [7:0] its_row_read = slot ? \dut.rowsRead_ext.Memory[1] : \dut.rowsRead_ext.Memory[0] ;
      wire [1:0] its_column = slot ? \dut.columns_ext.Memory[1] : \dut.columns_ext.Memory[0] ;
      wire [1:0] its_tag = slot ? \dut.payloads_ext.Memory[1] : \dut.payloads_ext.Memory[0] ;
      assign same[i] = !full[i] || its_bank == banks[i] && its_bit == 1 << banks[i] &&
          its_row == rows_of[i] && its_row_read == rows_of[i] &&
          its_column == columns_of[i] && its_tag == tags[i];
      wire its_hit = open[banks[i]] && rows[8*banks[i]+:8] == rows_of[i];
`ifdef FAST
      assign right_hit[i] = !full[i] || hit_of[slot] == its_hit;
`else
      // the row of a bank that was chosen for an activate is compared a cycle later
      wire just_opened = opened && opened_bank == banks[i];
      assign right_hit[i] = !full[i] ||
          (just_opened ? !hit_of[slot] || its_hit : hit_of[slot] == its_hit) && of_opened[slot] == just_opened;
`endif
    end
  endgenerate
  always @(posedge clock)
    if (!reset) begin
      invariant_order : assert (valid[0] + valid[1] == full[0] + full[1] && (full[0] || !full[1]));
      invariant_same : assert (&same);
      // each pair of slots is kept twice, and no slot came before itself
      invariant_pair : assert (valid != 2'b11 || before_0[1] != before_1[0]);
      invariant_self : assert (!(valid[0] && before_0[0]) && !(valid[1] && before_1[1]));
      invariant_hit : assert (&right_hit);
    end

`ifdef COVERS
  `include "covers.svh"
  // few banks and rows are enough to find a way
  always_comb few : assume (bank < 2 && row < 2 && other_row < 2 && opens_bank < 2 && column_bank < 2 && !age);
  wire violated = leaves_none || leaves_wrong || opens_none || opens_wrong || count_wrong;
  reg  overtaken = 0;
  always @(posedge clock)
    if (!reset) begin
      if (drops_younger && full[0]) overtaken <= 1;
      if (whole) begin
        younger_hit_overtakes : cover (overtaken && drops_older);
        one_in_one_out : cover (takes && column_valid);
      end
    end
`endif
endmodule
