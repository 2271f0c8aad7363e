// SPDX-License-Identifier: Apache-2.0
//
// The rules of JESD79-3F and JESD79-4B for the commands of one DFI, as assertions. All times are in DRAM clocks; a clock is a
// phase of a cycle of `clock`. What has been seen is kept as one bit for each kind of command, bank and clock, so a rule is
// nothing but a look back over as many clocks as it says; there is no counter here.
//
// A rule that is broken in a cycle raises a bit of the signal of its name, and the assertion of that name fails. CKE and mode
// register commands are no part of this: Weir leaves them to software, and gives none. ODT is judged by sim/dram.

`default_nettype none

// Whether anything came on a line of time in the `clocks` - 1 clocks before phase p, that is less than `clocks` before it.
`define CAME(line, clocks) (|((line >> (PHASES - p)) & ((64'd1 << ((clocks) - 1)) - 64'd1)))

module jedec_rules #(
    parameter integer PHASES    = 4,
    parameter integer RANKS     = 1,
    parameter integer GROUPS    = 1,   // bank groups; the DFI's bank holds the group above the bank of the group
    parameter integer BANK_BITS = 2,
    parameter integer PINS      = 13,  // address pins
    parameter integer CL        = 6,
    parameter integer CWL       = 5,
    parameter integer TRCD      = 1,
    parameter integer TRP       = 1,
    parameter integer TRAS      = 1,
    parameter integer TRC       = 1,
    parameter integer TRRD_S    = 1,
    parameter integer TRRD_L    = 1,
    parameter integer TFAW      = 1,
    parameter integer TCCD_S    = 4,
    parameter integer TCCD_L    = 4,
    parameter integer TWTR_S    = 1,
    parameter integer TWTR_L    = 1,
    parameter integer TRTP      = 1,
    parameter integer TWR       = 1,
    parameter integer TRTRS     = 1,
    parameter integer TRFC      = 1,
    parameter integer TRFC2     = 1,
    parameter integer TRFC4     = 1,
    parameter integer TZQCS     = 1
) (
    input clock,
    input reset,
    // refreshes with BG0 high are of 4x granularity, else of 2x, as mode register 3 has it (JESD79-4B 4.9.2)
    input quarters,
    input [PHASES*PINS-1:0] address,
    input [PHASES*BANK_BITS-1:0] bank,
    input [PHASES*RANKS-1:0] cs_n,
    input [PHASES-1:0] ras_n,
    input [PHASES-1:0] cas_n,
    input [PHASES-1:0] we_n,
    input [PHASES-1:0] wrdata_en,
    input [PHASES-1:0] rddata_en,
    // whether a bank (rank above bank) has a row open before and after the commands of this cycle
    output [RANKS*(1<<BANK_BITS)-1:0] open_before,
    output [RANKS*(1<<BANK_BITS)-1:0] open_after,
    // a bit for each rule that a command of this cycle breaks, in the order of the assertions
    output [21:0] broken
);
  localparam integer BANKS = 1 << BANK_BITS;
  localparam integer PerGroup = BANKS / GROUPS;
  localparam integer BURST = 4;  // clocks of a burst of eight
  localparam integer PAST = 33;
  localparam integer LINE = PAST + PHASES;

  // Commands at a phase, by the truth table on CS#, RAS#, CAS# and WE#.
  wire [PHASES-1:0] is_activate = ~ras_n & cas_n & we_n;
  wire [PHASES-1:0] is_precharge = ~ras_n & cas_n & ~we_n;
  wire [PHASES-1:0] is_read = ras_n & ~cas_n & we_n;
  wire [PHASES-1:0] is_write = ras_n & ~cas_n & ~we_n;
  wire [PHASES-1:0] is_refresh = ~ras_n & ~cas_n & we_n;
  wire [PHASES-1:0] is_calibrate = ras_n & cas_n & ~we_n;
  wire [PHASES-1:0] in_part;  // refreshes of finer granularity
  generate
    for (genvar n = 0; n < PHASES; n = n + 1) assign in_part[n] = GROUPS > 1 && bank[n*BANK_BITS+$clog2(BANKS/GROUPS)];
  endgenerate
  wire [PHASES-1:0] is_mode = ~ras_n & ~cas_n & ~we_n;

  // Rules of a bank (a bit for each bank), of a rank (for each rank), of a phase (for each phase).
  wire [RANKS*BANKS-1:0] row_open, row_closed, tRCD, tRP, tRAS, tRC, tRTP, tWR;
  wire [RANKS*BANKS-1:0] tRRD_S, tRRD_L, tCCD_S, tCCD_L, tWTR_S, tWTR_L, read_to_write, tRTRS;
  wire [RANKS-1:0] tFAW, refresh_precharged, precharge_to_refresh, tRFC, tZQCS;
  wire [PHASES-1:0] command, data_enable;

  // Lines of time: bit 0 is the last phase of this cycle, higher bits are earlier clocks. Phase p of this cycle is bit
  // PHASES-1-p.
  wire [LINE-1:0] rank_reads [RANKS];
  wire [LINE-1:0] rank_writes[RANKS];

  genvar r, g, b, p, o;
  generate
    for (r = 0; r < RANKS; r = r + 1) begin : g_of_rank
      wire [PHASES-1:0] chosen;
      wire [BANKS*PHASES-1:0] opens;  // whether a bank has a row open before the command of a phase
      wire [GROUPS*LINE-1:0] group_activates, group_reads, group_writes;
      wire [BANKS*LINE-1:0] bank_precharges;
      wire [LINE-1:0] rank_activates, rank_precharges, reads_of_rank, writes_of_rank;
      wire [LINE-1:0] other_reads, other_writes, refreshes, parts, calibrations;
      for (p = 0; p < PHASES; p = p + 1) assign chosen[p] = !cs_n[p*RANKS+r];

      for (g = 0; g < GROUPS; g = g + 1) begin : g_of_group
        wire [LINE-1:0] my_activates, my_reads, my_writes;  // of this group
        wire [LINE-1:0] its_activates, its_reads, its_writes;  // of the other groups
        wire [PerGroup*LINE-1:0] bank_activates, bank_reads, bank_writes;

        for (b = 0; b < PerGroup; b = b + 1) begin : g_of_bank
          localparam integer NUMBER = g * PerGroup + b;
          wire [PHASES-1:0] act, pre, rd, wr, open;
          wire [LINE-1:0] activates, precharges, reads, writes;
          line_of_time #(
              .PHASES(PHASES),
              .PAST  (PAST)
          ) activates_line (
              .clock(clock),
              .reset(reset),
              .now  (act),
              .line (activates)
          );
          line_of_time #(
              .PHASES(PHASES),
              .PAST  (PAST)
          ) precharges_line (
              .clock(clock),
              .reset(reset),
              .now  (pre),
              .line (precharges)
          );
          line_of_time #(
              .PHASES(PHASES),
              .PAST  (PAST)
          ) reads_line (
              .clock(clock),
              .reset(reset),
              .now  (rd),
              .line (reads)
          );
          line_of_time #(
              .PHASES(PHASES),
              .PAST  (PAST)
          ) writes_line (
              .clock(clock),
              .reset(reset),
              .now  (wr),
              .line (writes)
          );
          assign bank_activates[b*LINE+:LINE] = activates;
          assign bank_reads[b*LINE+:LINE] = reads;
          assign bank_writes[b*LINE+:LINE] = writes;
          assign bank_precharges[NUMBER*LINE+:LINE] = precharges;
          assign opens[NUMBER*PHASES+:PHASES] = open;

          reg was_open;
          assign open_before[r*BANKS+NUMBER] = was_open;
          assign open_after[r*BANKS+NUMBER]  = act[PHASES-1] || open[PHASES-1] && !pre[PHASES-1];
          always @(posedge clock) was_open <= !reset && open_after[r*BANKS+NUMBER];

          wire [PHASES-1:0] bad_open, bad_closed, bad_rcd, bad_rp, bad_ras, bad_rc, bad_rtp, bad_wr;
          wire [PHASES-1:0] bad_rrd_s, bad_rrd_l, bad_ccd_s, bad_ccd_l, bad_wtr_s, bad_wtr_l, bad_turn, bad_rtrs;
          for (p = 0; p < PHASES; p = p + 1) begin : g_at
            wire mine = chosen[p] && bank[p*BANK_BITS+:BANK_BITS] == NUMBER;
            assign act[p] = mine && is_activate[p];
            assign pre[p] = (mine || chosen[p] && address[p*PINS+10]) && is_precharge[p];
            assign rd[p]  = mine && is_read[p];
            assign wr[p]  = mine && is_write[p];
            if (p == 0) assign open[p] = was_open;
            else assign open[p] = act[p-1] || open[p-1] && !pre[p-1];

            // an activate needs its bank precharged, a read or write needs it open; to precharge it then is no command
            assign bad_closed[p] = act[p] && open[p];
            assign bad_open[p] = (rd[p] || wr[p]) && !open[p];
            assign bad_rcd[p] = (rd[p] || wr[p]) && `CAME(activates, TRCD);
            assign bad_rp[p] = act[p] && `CAME(precharges, TRP);
            assign bad_rc[p] = act[p] && `CAME(activates, TRC);
            assign bad_ras[p] = pre[p] && open[p] && `CAME(activates, TRAS);
            assign bad_rtp[p] = pre[p] && open[p] && `CAME(reads, TRTP);
            assign bad_wr[p] = pre[p] && open[p] && `CAME(writes, CWL + BURST + TWR);
            assign bad_rrd_l[p] = act[p] && `CAME(my_activates, TRRD_L);
            assign bad_rrd_s[p] = act[p] && `CAME(its_activates, TRRD_S);
            assign bad_ccd_l[p] = rd[p] && `CAME(my_reads, TCCD_L) || wr[p] && `CAME(my_writes, TCCD_L);
            assign bad_ccd_s[p] = rd[p] && `CAME(its_reads, TCCD_S) || wr[p] && `CAME(its_writes, TCCD_S);
            // from the end of the write data
            assign bad_wtr_l[p] = rd[p] && `CAME(my_writes, CWL + BURST + TWTR_L);
            assign bad_wtr_s[p] = rd[p] && `CAME(its_writes, CWL + BURST + TWTR_S);
            // write data come two clocks after read data, for the bus to turn
            assign bad_turn[p] = wr[p] && `CAME(reads_of_rank, CL + BURST + 2 - CWL);
            // data come tRTRS after those of another rank
            assign bad_rtrs[p] = rd[p] && (
            `CAME(other_reads, BURST + TRTRS)
            ||
            `CAME(other_writes, CWL + BURST + TRTRS - CL)
            ) || wr[p] && (
            `CAME(other_writes, BURST + TRTRS)
            ||
            `CAME(other_reads, CL + BURST + TRTRS - CWL)
            );
          end
          assign row_closed[r*BANKS+NUMBER] = |bad_closed;
          assign row_open[r*BANKS+NUMBER] = |bad_open;
          assign tRCD[r*BANKS+NUMBER] = |bad_rcd;
          assign tRP[r*BANKS+NUMBER] = |bad_rp;
          assign tRC[r*BANKS+NUMBER] = |bad_rc;
          assign tRAS[r*BANKS+NUMBER] = |bad_ras;
          assign tRTP[r*BANKS+NUMBER] = |bad_rtp;
          assign tWR[r*BANKS+NUMBER] = |bad_wr;
          assign tRRD_S[r*BANKS+NUMBER] = |bad_rrd_s;
          assign tRRD_L[r*BANKS+NUMBER] = |bad_rrd_l;
          assign tCCD_S[r*BANKS+NUMBER] = |bad_ccd_s;
          assign tCCD_L[r*BANKS+NUMBER] = |bad_ccd_l;
          assign tWTR_S[r*BANKS+NUMBER] = |bad_wtr_s;
          assign tWTR_L[r*BANKS+NUMBER] = |bad_wtr_l;
          assign read_to_write[r*BANKS+NUMBER] = |bad_turn;
          assign tRTRS[r*BANKS+NUMBER] = |bad_rtrs;
        end
        any_of #(
            .N(PerGroup),
            .LINE(LINE)
        ) any_activates (
            .lines(bank_activates),
            .chosen({PerGroup{1'b1}}),
            .any(my_activates)
        );
        any_of #(
            .N(PerGroup),
            .LINE(LINE)
        ) any_reads (
            .lines(bank_reads),
            .chosen({PerGroup{1'b1}}),
            .any(my_reads)
        );
        any_of #(
            .N(PerGroup),
            .LINE(LINE)
        ) any_writes (
            .lines(bank_writes),
            .chosen({PerGroup{1'b1}}),
            .any(my_writes)
        );
        assign group_activates[g*LINE+:LINE] = my_activates;
        assign group_reads[g*LINE+:LINE] = my_reads;
        assign group_writes[g*LINE+:LINE] = my_writes;
        any_of #(
            .N(GROUPS),
            .LINE(LINE)
        ) its_activates_line (
            .lines(group_activates),
            .chosen(~({{GROUPS - 1{1'b0}}, 1'b1} << g)),
            .any(its_activates)
        );
        any_of #(
            .N(GROUPS),
            .LINE(LINE)
        ) its_reads_line (
            .lines(group_reads),
            .chosen(~({{GROUPS - 1{1'b0}}, 1'b1} << g)),
            .any(its_reads)
        );
        any_of #(
            .N(GROUPS),
            .LINE(LINE)
        ) its_writes_line (
            .lines(group_writes),
            .chosen(~({{GROUPS - 1{1'b0}}, 1'b1} << g)),
            .any(its_writes)
        );
      end
      any_of #(
          .N(GROUPS),
          .LINE(LINE)
      ) any_activates (
          .lines(group_activates),
          .chosen({GROUPS{1'b1}}),
          .any(rank_activates)
      );
      any_of #(
          .N(GROUPS),
          .LINE(LINE)
      ) any_reads (
          .lines(group_reads),
          .chosen({GROUPS{1'b1}}),
          .any(reads_of_rank)
      );
      any_of #(
          .N(GROUPS),
          .LINE(LINE)
      ) any_writes (
          .lines(group_writes),
          .chosen({GROUPS{1'b1}}),
          .any(writes_of_rank)
      );
      any_of #(
          .N(BANKS),
          .LINE(LINE)
      ) any_precharges (
          .lines(bank_precharges),
          .chosen({BANKS{1'b1}}),
          .any(rank_precharges)
      );
      line_of_time #(
          .PHASES(PHASES),
          .PAST  (PAST)
      ) refreshes_line (
          .clock(clock),
          .reset(reset),
          .now  (chosen & is_refresh & ~in_part),
          .line (refreshes)
      );
      line_of_time #(
          .PHASES(PHASES),
          .PAST  (PAST)
      ) parts_line (
          .clock(clock),
          .reset(reset),
          .now  (chosen & is_refresh & in_part),
          .line (parts)
      );
      line_of_time #(
          .PHASES(PHASES),
          .PAST  (PAST)
      ) calibrations_line (
          .clock(clock),
          .reset(reset),
          .now  (chosen & is_calibrate),
          .line (calibrations)
      );

      wire [PHASES-1:0] bad_faw, bad_refresh, bad_rp, bad_rfc, bad_zqcs;
      for (p = 0; p < PHASES; p = p + 1) begin : g_at
        wire of_all = chosen[p] && (is_refresh[p] || is_calibrate[p]);
        wire [BANKS-1:0] open;
        for (b = 0; b < BANKS; b = b + 1) assign open[b] = opens[b*PHASES+p];
        // at most four activates less than tFAW apart
        assign bad_faw[p] = chosen[p] && is_activate[p] && ones(
            (rank_activates >> (PHASES - p)) & ((64'd1 << (TFAW - 1)) - 64'd1)
        ) > 3;
        assign bad_refresh[p] = of_all && |open;
        assign bad_rp[p] = of_all && `CAME(rank_precharges, TRP);
        assign bad_rfc[p] = chosen[p] && (
        `CAME(refreshes, TRFC)
        || (quarters ?
        `CAME(parts, TRFC4) :
        `CAME(parts, TRFC2)
        ));
        assign bad_zqcs[p] = chosen[p] && `CAME(calibrations, TZQCS);
      end
      assign tFAW[r] = |bad_faw;
      assign refresh_precharged[r] = |bad_refresh;
      assign precharge_to_refresh[r] = |bad_rp;
      assign tRFC[r] = |bad_rfc;
      assign tZQCS[r] = |bad_zqcs;

      assign rank_reads[r] = reads_of_rank;
      assign rank_writes[r] = writes_of_rank;
      if (RANKS == 1) begin : g_alone
        assign other_reads  = 0;
        assign other_writes = 0;
      end else begin : g_two
        assign other_reads  = rank_reads[1-r];
        assign other_writes = rank_writes[1-r];
      end
    end

    for (p = 0; p < PHASES; p = p + 1) begin : g_at
      wire [RANKS-1:0] chosen = ~cs_n[p*RANKS+:RANKS];
      wire column = is_read[p] || is_write[p];
      // mode registers are software's; no command goes to two ranks; none is with auto precharge, none chopped
      assign command[p] = |chosen &&
          (is_mode[p] || |(chosen & (chosen - 1'b1)) || column && (address[p*PINS+10] || !address[p*PINS+12]));
      // the PHY must know of each read and write in its phase
      assign data_enable[p] = wrdata_en[p] != (|chosen && is_write[p]) || rddata_en[p] != (|chosen && is_read[p]);
    end
  endgenerate

  function automatic [5:0] ones(input logic [PAST-1:0] bits);
    integer i;
    begin
      ones = 0;
      for (i = 0; i < PAST; i = i + 1) ones = ones + bits[i];
    end
  endfunction

  assign broken[0]  = |row_open;
  assign broken[1]  = |row_closed;
  assign broken[2]  = |tRCD;
  assign broken[3]  = |tRP || |precharge_to_refresh;
  assign broken[4]  = |tRAS;
  assign broken[5]  = |tRC;
  assign broken[6]  = |tRTP;
  assign broken[7]  = |tWR;
  assign broken[8]  = |tRRD_S;
  assign broken[9]  = |tRRD_L;
  assign broken[10] = |tFAW;
  assign broken[11] = |tCCD_S;
  assign broken[12] = |tCCD_L;
  assign broken[13] = |tWTR_S;
  assign broken[14] = |tWTR_L;
  assign broken[15] = |read_to_write;
  assign broken[16] = |tRTRS;
  assign broken[17] = |refresh_precharged;
  assign broken[18] = |tRFC;
  assign broken[19] = |tZQCS;
  assign broken[20] = |command;
  assign broken[21] = |data_enable;
  always @(posedge clock)
    if (!reset) begin
      rule_row_open : assert (!broken[0]);
      rule_row_closed : assert (!broken[1]);
      rule_tRCD : assert (!broken[2]);
      rule_tRP : assert (!broken[3]);
      rule_tRAS : assert (!broken[4]);
      rule_tRC : assert (!broken[5]);
      rule_tRTP : assert (!broken[6]);
      rule_tWR : assert (!broken[7]);
      rule_tRRD_S : assert (!broken[8]);
      rule_tRRD_L : assert (!broken[9]);
      rule_tFAW : assert (!broken[10]);
      rule_tCCD_S : assert (!broken[11]);
      rule_tCCD_L : assert (!broken[12]);
      rule_tWTR_S : assert (!broken[13]);
      rule_tWTR_L : assert (!broken[14]);
      rule_read_to_write : assert (!broken[15]);
      rule_tRTRS : assert (!broken[16]);
      rule_refresh_precharged : assert (!broken[17]);
      rule_tRFC : assert (!broken[18]);
      rule_tZQCS : assert (!broken[19]);
      rule_command : assert (!broken[20]);
      rule_data_enable : assert (!broken[21]);
    end
endmodule

// What came in the phases of this cycle and in PAST clocks before, as a line of time.
module line_of_time #(
    parameter integer PHASES = 4,
    parameter integer PAST   = 31
) (
    input clock,
    input reset,
    input [PHASES-1:0] now,
    output [PAST+PHASES-1:0] line
);
  reg [PAST-1:0] past;
  genvar p;
  generate
    for (p = 0; p < PHASES; p = p + 1) assign line[PHASES-1-p] = now[p];
  endgenerate
  assign line[PHASES+:PAST] = past;
  always @(posedge clock) past <= reset ? 0 : line[PAST-1:0];
endmodule

// Those of N lines that are chosen, in one.
module any_of #(
    parameter integer N = 1,
    parameter integer LINE = 1
) (
    input [N*LINE-1:0] lines,
    input [N-1:0] chosen,
    output reg [LINE-1:0] any
);
  integer i;
  always_comb begin
    any = 0;
    for (i = 0; i < N; i = i + 1) if (chosen[i]) any = any | lines[i*LINE+:LINE];
  end
endmodule
