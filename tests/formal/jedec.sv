// SPDX-License-Identifier: Apache-2.0
//
// Weir's commands on the DFI against the rules of JEDEC. What is not in this proof is free: the queues may want any banks in
// any cycle, any rank may write or read, a refresh may be wanted at any time, another master may want the DFI, or want it no
// longer, in any cycle, so that whatever they do no rule is broken. The
// numbers of the part are those of the formal-* configs, written down here once more.

`default_nettype none

module jedec (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

`ifdef RANKS_2
  localparam integer PHASES = 4;
  localparam integer RANKS = 2;
  localparam integer GROUPS = 2;
  localparam integer TRAS = 9;
  localparam integer TRC = 18;
  localparam integer TRRDL = 9;
  localparam integer TCCDL = 9;
  localparam integer TWTRL = 7;
  localparam integer TRFC = 28;
`else
  localparam integer PHASES = 2;
  localparam integer RANKS = 1;
  localparam integer GROUPS = 1;
  localparam integer TRAS = 14;
  localparam integer TRC = 16;
  localparam integer TRRDL = 5;
  localparam integer TCCDL = 5;
  localparam integer TWTRL = 3;
  localparam integer TRFC = 20;
`endif

  wire [PHASES*13-1:0] address;
  wire [PHASES*2-1:0] bank;
  wire [PHASES*RANKS-1:0] cs_n;
  wire [PHASES-1:0] ras_n, cas_n, we_n, wrdata_en, rddata_en;
  wire [RANKS*4-1:0] open_before, open_after;
  wire [21:0] broken;

  (* anyseq *) wire wanted;
  wire released;

  Weir weir (
      .clock(clock),
      .reset(reset),
      .dfi_phymstr_req(wanted),
      .dfi_phymstr_ack(released),
      .s_axil_awvalid(1'b0),
      .s_axil_wvalid(1'b0),
      .s_axil_arvalid(1'b0),
      .s_axil_bready(1'b1),
      .s_axil_rready(1'b1),
      .dfi_address(address),
      .dfi_bank(bank),
      .dfi_cs_n(cs_n),
      .dfi_ras_n(ras_n),
      .dfi_cas_n(cas_n),
      .dfi_we_n(we_n),
      .dfi_wrdata_en(wrdata_en),
      .dfi_rddata_en(rddata_en)
  );

  jedec_rules #(
      .PHASES(PHASES),
      .RANKS(RANKS),
      .GROUPS(GROUPS),
      .BANK_BITS(2),
      .PINS(13),
      .CL(6),
      .CWL(5),
      .TRCD(7),
      .TRP(6),
      .TRAS(TRAS),
      .TRC(TRC),
      .TRRD_S(5),
      .TRRD_L(TRRDL),
      .TFAW(34),
      .TCCD_S(5),
      .TCCD_L(TCCDL),
      .TWTR_S(3),
      .TWTR_L(TWTRL),
      .TRTP(6),
      .TWR(5),
      .TRTRS(2),
      .TRFC(TRFC),
      .TRFC2(24),
      .TRFC4(20),
      .TZQCS(20)
  ) rules (
      .*
  );

  // Refreshes in parts are of the one granularity that the DRAM is set to, when software wants any and as long as it does; what
  // has been begun and is to be ended is free.
  (* anyconst *) wire quarters;
`ifdef RANKS_2
  (* hierconn *)wire [1:0] \weir.channels_0.refresher.debts_0.io_begunGranularity ;
  (* hierconn *)wire [1:0] \weir.channels_0.refresher.debts_1.io_begunGranularity ;
  (* hierconn *) wire [1:0] \weir.channels_0.refresher.sequences_0.part , \weir.channels_0.refresher.sequences_1.part ;
  wire [1:0] part_0 = \weir.channels_0.refresher.sequences_0.part ;
  wire [1:0] part_1 = \weir.channels_0.refresher.sequences_1.part ;
  wire part_wrong = part_0 != 0 && part_0 != (quarters ? 2 : 1) || part_1 != 0 && part_1 != (quarters ? 2 : 1);
  always @(posedge clock) if (!reset) invariant_part : assert (!part_wrong);
  (* hierconn *)wire [1:0] \weir.registers.free_io_control_refresh_granularity ;
  wire [1:0] granularity = \weir.registers.free_io_control_refresh_granularity ;
  always_comb begin
    contract_granularity : assume (granularity == 0 || granularity == (quarters ? 2 : 1));
    contract_granularity_0 : assume (\weir.channels_0.refresher.debts_0.io_begunGranularity == (quarters ? 2 : 1));
    contract_granularity_1 : assume (\weir.channels_0.refresher.debts_1.io_begunGranularity == (quarters ? 2 : 1));
  end
`endif

  // What the induction must know of states that are never reached: the design and the rules agree on which rows are open,
  // and from the precharge of all banks to the end of a refresh or calibration no bank of the rank is open. With Pipeline.command
  // the DFI is a register behind.
  (* hierconn *) wire [RANKS*4-1:0] \weir.channels_0.states.io_open ;
  (* hierconn *) wire [2:0] \weir.channels_0.refresher.sequences_0.state ;
  wire [RANKS*4-1:0] open_now = \weir.channels_0.states.io_open ;
  wire [RANKS-1:0] closed_now;
  assign closed_now[0] = \weir.channels_0.refresher.sequences_0.state > 1;
`ifdef RANKS_2
  (* hierconn *) wire [2:0] \weir.channels_0.refresher.sequences_1.state ;
  assign closed_now[1] = \weir.channels_0.refresher.sequences_1.state > 1;
  wire [RANKS*4-1:0] open = open_now;
  wire [  RANKS-1:0] closed = closed_now;
`else
  reg [RANKS*4-1:0] open = 0;
  reg [  RANKS-1:0] closed = 0;
  always @(posedge clock) begin
    open   <= reset ? 0 : open_now;
    closed <= reset ? 0 : closed_now;
  end
`endif
  genvar r;
  wire [RANKS-1:0] closed_and_open;
  generate
    for (r = 0; r < RANKS; r = r + 1) assign closed_and_open[r] = closed[r] && open_after[4*r+:4] != 0;
  endgenerate
  // While another master has the DFI no row is open and no command comes.
  wire in_the_way = released && (open_after != 0 || !(&cs_n));
  always @(posedge clock)
    if (!reset) begin
      let_go : assert (!in_the_way);
      invariant_open : assert (open_before == open);
      invariant_closed : assert (!closed_and_open);
    end

`ifdef COVERS
  `include "covers.svh"
  wire [RANKS-1:0] refreshes, activates, reads;
  generate
    for (r = 0; r < RANKS; r = r + 1) begin : g_seen
      wire [PHASES-1:0] chosen;
      genvar p;
      for (p = 0; p < PHASES; p = p + 1) assign chosen[p] = !cs_n[p*RANKS+r];
      assign refreshes[r] = |(chosen & ~ras_n & ~cas_n & we_n);
      assign activates[r] = |(chosen & ~ras_n & cas_n & we_n);
      assign reads[r] = |(chosen & ras_n & ~cas_n & we_n);
    end
  endgenerate
  reg [RANKS-1:0] activated = 0, has_read = 0;
  always @(posedge clock) begin
    activated <= reset ? 0 : activated | activates;
    has_read  <= reset ? 0 : has_read | reads & activated;
    if (!reset && whole) begin
      refreshed_after_a_read : cover (|(refreshes & has_read));
      four_banks_open : cover (&open_after[3:0]);
    end
  end
`endif
endmodule
