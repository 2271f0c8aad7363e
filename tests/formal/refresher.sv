// SPDX-License-Identifier: Apache-2.0
//
// The refresher alone, of a DRAM that refreshes whole or in parts: whatever software makes of the refresh registers, in any
// cycle, the next refresh of a rank comes no later than JEDEC lets it (JESD79-3F 4.14.2, JESD79-4B 4.26): nine tREFI after a
// whole one, 17 tREFI / 2 after a half, 33 tREFI / 4 after a quarter.
//
// What the channel gives is free within what the register map leaves time for: ranks are idle or busy in any cycle, and a rank
// is closed within CLOSING cycles. With four phases a command of the refresher always goes out. tREFI and the other times are
// short, of no part; limits are those of the registers.

`default_nettype none

module refresher (
    input clock
);
  localparam integer TREFI = 20;  // cycles, as are all of these
  localparam integer SHORTER = 16;  // what software may set tREFI to
  localparam integer TRFC = 7;
  localparam integer CALIBRATION = 4;
  localparam integer PRECHARGE = 3;
  localparam integer CLOSING = 3;
  localparam integer POSTPONED = 8;
  localparam integer PERIOD = 15;
  localparam integer BUDGET = 28;
  localparam integer WINDOW = 5;  // of the induction

`ifdef COVERS
  // what the induction must not find of the design it finds of a faulty one: from any states that it knows nothing against
  wire reset = 0;
  reg [3:0] seen = 0;
  always @(posedge clock) seen <= seen == WINDOW ? WINDOW : seen + 1;
`else
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );
`endif

  // ---- Registers: legal in any cycle. The DRAM is set to one granularity of parts.
  (* anyconst *) wire quarters;
  (* anyseq *) wire [2:0] any_policy, any_postpone;
  (* anyseq *) wire any_parts, any_shorter;
  (* anyseq *) wire [3:0] any_pull_in;
  (* anyseq *) wire [11:0] any_idle, ahead;
  wire [ 1:0] parts_are = quarters ? 2 : 1;
  wire [ 2:0] policy = any_policy > 5 ? 0 : any_policy;
  wire [ 3:0] postpone = any_postpone + 1;
  wire [ 3:0] pull_in = any_pull_in > 8 ? 8 : any_pull_in;
  wire [11:0] idle_step = any_idle == 0 ? 1 : any_idle;
  wire [ 1:0] granularity = any_parts ? parts_are : 0;
  wire [15:0] interval = any_shorter ? SHORTER : TREFI;

  // ---- The channel
  (* anyseq *) wire [1:0] idle, busy, may_close;
  wire [1:0] blocks, prechargeable;
  wire valid, rank, part;
  wire [1:0] operation;

  Refresher dut (
      .clock(clock),
      .reset(reset),
      .io_control_refresh_postpone(postpone),
      .io_control_refresh_policy(policy),
      .io_control_refresh_pullIn(pull_in),
      .io_control_refresh_idle(idle_step),
      .io_control_refresh_granularity(granularity),
      .io_control_refresh_drainAhead(ahead),
      .io_constraints_refreshToActivate(TRFC),
      .io_constraints_halfRefreshToActivate(TRFC - 1),
      .io_constraints_quarterRefreshToActivate(TRFC - 2),
      .io_constraints_calibrateToActivate(CALIBRATION),
      .io_constraints_prechargeToRefresh(PRECHARGE),
      .io_constraints_refreshInterval(interval),
      .io_constraints_refreshesToCalibrate(3),
      .io_activity_0_idle(idle[0]),
      .io_activity_0_busy(busy[0]),
      .io_activity_0_prechargeable(prechargeable[0]),
      .io_activity_1_idle(idle[1]),
      .io_activity_1_busy(busy[1]),
      .io_activity_1_prechargeable(prechargeable[1]),
      .io_close(1'b0),
      .io_command_valid(valid),
      .io_command_bits_operation(operation),
      .io_command_bits_rank(rank),
      .io_command_bits_part(part),
      .io_blocks(blocks)
  );

  // ---- What JEDEC asks: fourths of a cycle, of which there are TREFI in a fourth of tREFI
  localparam integer REFRESH = 2;
  wire [2:0] shares = !part ? 4 : quarters ? 1 : 2;
  wire [1:0] refreshed;
  reg [2:0] last[2];
  reg [11:0] since[2];
  // cycles for which a rank has been waiting for a command
  reg [3:0] waits[2];
  genvar r;
  generate
    for (r = 0; r < 2; r = r + 1) begin : g_of_rank
      assign refreshed[r] = valid && operation == REFRESH && rank == r;
      assign prechargeable[r] = may_close[r] || waits[r] >= CLOSING;
      always @(posedge clock) begin
        last[r]  <= reset ? 4 : refreshed[r] ? shares : last[r];
        since[r] <= reset || refreshed[r] ? 0 : since[r] + 4;
        waits[r] <= reset || !blocks[r] || valid && rank == r ? 0 : waits[r] == 15 ? 15 : waits[r] + 1;
      end
    end
  endgenerate
  wire [1:0] too_late;
  assign too_late[0] = since[0] > (4 * POSTPONED + last[0]) * TREFI;
  assign too_late[1] = since[1] > (4 * POSTPONED + last[1]) * TREFI;
  wire late = |too_late;

  // ---- What the induction must know of states that are never reached
  (* hierconn *) wire [5:0] \dut.debts_0.since , \dut.debts_1.since ;
  (* hierconn *) wire [1:0] \dut.debts_0.leftOut , \dut.debts_1.leftOut ;
  (* hierconn *) wire [1:0] \dut.debts_0.parts , \dut.debts_1.parts ;
  (* hierconn *) wire [1:0] \dut.debts_0.granularity , \dut.debts_1.granularity ;
  (* hierconn *) wire [2:0] \dut.sequences_0.state , \dut.sequences_1.state ;
  (* hierconn *) wire [10:0] \dut.sequences_0.count , \dut.sequences_1.count ;
  (* hierconn *) wire [1:0] \dut.sequences_0.part , \dut.sequences_1.part ;
  (* hierconn *) wire [5:0] \dut.enough_budget.budget , \dut.enough_budget.budget_1 ;
  (* hierconn *) wire [3:0] \dut.enough_budget.elapsed ;
  (* hierconn *) wire [16:0] \dut.pace.phase ;
  wire [16:0] phase = \dut.pace.phase ;
  wire [3:0] elapsed = \dut.enough_budget.elapsed ;
  wire [5:0] due[2];
  wire [1:0] left_out[2], begun[2], begun_parts[2], of[2];
  wire [ 2:0] state [2];
  wire [10:0] count [2];
  wire [ 5:0] budget[2];
  assign due[0] = \dut.debts_0.since ;
  assign due[1] = \dut.debts_1.since ;
  assign left_out[0] = \dut.debts_0.leftOut ;
  assign left_out[1] = \dut.debts_1.leftOut ;
  assign begun[0] = \dut.debts_0.parts ;
  assign begun[1] = \dut.debts_1.parts ;
  assign begun_parts[0] = \dut.debts_0.granularity ;
  assign begun_parts[1] = \dut.debts_1.granularity ;
  assign state[0] = \dut.sequences_0.state ;
  assign state[1] = \dut.sequences_1.state ;
  assign count[0] = \dut.sequences_0.count ;
  assign count[1] = \dut.sequences_1.count ;
  assign of[0] = \dut.sequences_0.part ;
  assign of[1] = \dut.sequences_1.part ;
  assign budget[0] = \dut.enough_budget.budget ;
  assign budget[1] = \dut.enough_budget.budget_1 ;

  // KEPT is for another master of the DFI, which none is here
  localparam integer IDLE = 0, CLOSE = 1, CLOSED = 2, KEPT = 3, REFRESHES = 4, REFRESHING = 5, CALIBRATES = 6,
      CALIBRATING = 7;
  wire [1:0] parts_wrong, time_wrong, budget_wrong, sequence_wrong, forced_wrong, over;
  reg [6:0] over_for[2];  // cycles before this one in which the limit has been reached
  generate
    for (r = 0; r < 2; r = r + 1) begin : g_invariants
      wire [12:0] T = TREFI, S = SHORTER;
      wire [12:0] cycles4 = {1'b0, since[r]};
      wire [12:0] limit = 4 * POSTPONED - left_out[r];
      wire [12:0] reached = over_for[r];
      assign over[r] = due[r] >= limit;
      always @(posedge clock)
        over_for[r] <= reset || refreshed[r] || !over[r] ? 0 : &over_for[r] ? 127 : over_for[r] + 1;

      // which parts, and what of a whole one the last left out
      assign parts_wrong[r] = of[r] != 0 && of[r] != parts_are || begun[r] != 0 && begun_parts[r] != parts_are ||
          last[r] != 1 && last[r] != 2 && last[r] != 4 || {1'b0, left_out[r]} != 4 - last[r] ||
          begun[r] != 0 && state[r] >= CLOSE && state[r] <= REFRESHES && of[r] != begun_parts[r];
      // shares that fell due are neither too few nor too many for the time
      assign time_wrong[r] = phase[1:0] != 0 || phase >= TREFI || cycles4 > due[r] * T + phase ||
          due[r] * S + phase > cycles4 + SHORTER || due[r] > 36;
      // the budget has grown since the last refresh
      assign budget_wrong[r] = budget[r] > BUDGET || elapsed >= PERIOD ||
          budget[r] != BUDGET && budget[r] * 13'd15 + 4 * elapsed < cycles4;
      // after a refresh the sequence is soon at rest
      assign sequence_wrong[r] = state[r] == KEPT || state[r] == CLOSED && count[r] > PRECHARGE ||
          state[r] == CLOSE && waits[r] > CLOSING + 2 ||
          state[r] == REFRESHING && (count[r] > TRFC || cycles4 + 4 * count[r] > 4 * TRFC) ||
          state[r] == CALIBRATES && cycles4 > 4 * TRFC + 8 ||
          state[r] == CALIBRATING && (count[r] > CALIBRATION || cycles4 + 4 * count[r] > 4 * (TRFC + CALIBRATION) + 12);
      // from the limit on it goes its way to a refresh
      assign forced_wrong[r] = over[r] && (cycles4 > limit * T + 4 * reached ||
          due[r] * S + phase > limit * S + (T - S) + 4 * reached ||
          reached > (state[r] == IDLE ? 3 : state[r] == CLOSE ? 4 + waits[r] : state[r] == CLOSED ? CLOSING + 10 :
                     CLOSING + 13));
    end
  endgenerate
  wire wrong = late || |{parts_wrong, time_wrong, budget_wrong, sequence_wrong, forced_wrong};

`ifdef COVERS
  `include "covers.svh"
  wire [1:0] at_the_limit;
  assign at_the_limit[0] = refreshed[0] && since[0] > 4 * POSTPONED * TREFI;
  assign at_the_limit[1] = refreshed[1] && since[1] > 4 * POSTPONED * TREFI;
  always @(posedge clock) begin
    if (seen != WINDOW) known : assume (!wrong);
    if (seen == WINDOW && whole) begin
      refreshed_at_the_limit : cover (|at_the_limit);
      a_part_goes : cover (|refreshed && part);
    end
  end
`else
  always @(posedge clock)
    if (!reset) begin
      in_time : assert (!late);
      invariant_parts : assert (parts_wrong == 0);
      invariant_time : assert (time_wrong == 0);
      invariant_budget : assert (budget_wrong == 0);
      invariant_sequence : assert (sequence_wrong == 0);
      invariant_forced : assert (forced_wrong == 0);
    end
`endif
endmodule
