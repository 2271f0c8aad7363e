// SPDX-License-Identifier: Apache-2.0
//
// Weir on the DRAM model, for cocotb: its signals lie here under the names of Weir's ports, and Python drives them. One
// clock domain, `clock`. PORTS_2 to PORTS_4 are defined for as many AXI4 ports, CHANNELS_2 for two channels of DRAM, each
// with a DRAM model: the signals of the first are `dfi_*`, those of the second `dfi_1_*`.
//
// `wlast_is_wrong` tells the rules that a test sends WLAST with a wrong beat. `latch_dram` lets the DRAM model write its
// counts as of the cycle before to the file of +dram_statistics. `watch` and `latch_observation` are those of
// sim/observe/observe_all.sv, which recounts what is on AXI and what reaches the DRAM.
//
// `fault` breaks the design on purpose, for the tests of the checks, one bit for each way:
//   0  the lowest bit of data that are read from DRAM is inverted
//   1  the lowest bit of data that are written to DRAM is inverted
//   2  bytes that a write masks are written
//   3  refresh commands get lost
//   4  activate commands come a cycle late, so that what follows comes early
//   5  write commands get lost
//   6  RID of port 0 names another id
//   7  RLAST of port 0 comes with every beat
//   8  BRESP of port 0 tells SLVERR
//   9  R of port 0 changes from cycle to cycle
//  10  RVALID of port 0 falls when it is not taken at once
//  11  B of port 0 changes from cycle to cycle
//  12  BVALID of port 0 falls when it is not taken at once
//  13  BVALID of port 0 comes unasked
//  14  RVALID of port 0 comes unasked
//  15  the lowest bit of data that are read from the second channel is inverted
//  16  all lines lie in other banks than the address map says
//  17  reads of port 0 come under another id, which nobody sees but who counts by source
//  18  register writes that are refused are answered OKAY
//  19  the lowest bit of what is read from registers is inverted
//  20  the lowest bit of data that are written to DRAM is inverted while age_limit is 4095 and refresh_postpone is 1
//  21  refreshes are of another group of banks than the one that was closed for them

// verilog_format: off
`define WEIR_AXI_SIGNALS(i)                                                                      \
  logic [ID_BITS-1:0] s_axi_``i``_awid, s_axi_``i``_arid, s_axi_``i``_bid, s_axi_``i``_rid;      \
  logic [ADDRESS_BITS-1:0] s_axi_``i``_awaddr, s_axi_``i``_araddr;                               \
  logic [7:0] s_axi_``i``_awlen, s_axi_``i``_arlen;                                              \
  logic [2:0] s_axi_``i``_awsize, s_axi_``i``_arsize, s_axi_``i``_awprot, s_axi_``i``_arprot;    \
  logic [1:0] s_axi_``i``_awburst, s_axi_``i``_arburst, s_axi_``i``_bresp, s_axi_``i``_rresp;    \
  logic [3:0] s_axi_``i``_awcache, s_axi_``i``_arcache, s_axi_``i``_awqos, s_axi_``i``_arqos;    \
  logic s_axi_``i``_awlock, s_axi_``i``_arlock;                                                  \
  logic s_axi_``i``_awvalid, s_axi_``i``_awready, s_axi_``i``_arvalid, s_axi_``i``_arready;      \
  logic [DATA_BITS-1:0] s_axi_``i``_wdata, s_axi_``i``_rdata;                                    \
  logic [DATA_BITS/8-1:0] s_axi_``i``_wstrb;                                                     \
  logic s_axi_``i``_wlast, s_axi_``i``_wvalid, s_axi_``i``_wready;                               \
  logic s_axi_``i``_bvalid, s_axi_``i``_bready;                                                  \
  logic s_axi_``i``_rlast, s_axi_``i``_rvalid, s_axi_``i``_rready;                               \
  axi_rules #(.DATA_BITS(DATA_BITS), .ID_BITS(ID_BITS)) rules_``i`` (                            \
      .awvalid(s_axi_``i``_awvalid), .awready(s_axi_``i``_awready), .wlast(s_axi_``i``_wlast),   \
      .wvalid(s_axi_``i``_wvalid), .wready(s_axi_``i``_wready), .bid(s_axi_``i``_bid),           \
      .bresp(s_axi_``i``_bresp), .bvalid(s_axi_``i``_bvalid), .bready(s_axi_``i``_bready),       \
      .arlen(s_axi_``i``_arlen), .arvalid(s_axi_``i``_arvalid), .arready(s_axi_``i``_arready),   \
      .rid(s_axi_``i``_rid), .rdata(s_axi_``i``_rdata), .rresp(s_axi_``i``_rresp),               \
      .rlast(s_axi_``i``_rlast), .rvalid(s_axi_``i``_rvalid), .rready(s_axi_``i``_rready), .*);  \
  observe_port #(.PORT(i), .ID_BITS(ID_BITS), .ADDRESS_BITS(ADDRESS_BITS)) observe_``i`` (       \
      .awid(s_axi_``i``_awid), .awaddr(s_axi_``i``_awaddr), .awlen(s_axi_``i``_awlen),           \
      .awsize(s_axi_``i``_awsize), .awburst(s_axi_``i``_awburst),                                \
      .awvalid(s_axi_``i``_awvalid), .awready(s_axi_``i``_awready),                              \
      .arid(s_axi_``i``_arid), .araddr(s_axi_``i``_araddr), .arlen(s_axi_``i``_arlen),           \
      .arsize(s_axi_``i``_arsize), .arburst(s_axi_``i``_arburst),                                \
      .arvalid(s_axi_``i``_arvalid), .arready(s_axi_``i``_arready), .rid(s_axi_``i``_rid),       \
      .rlast(s_axi_``i``_rlast), .rvalid(s_axi_``i``_rvalid), .rready(s_axi_``i``_rready), .*);
// verilog_format: on

module bench #(
    parameter int    ADDRESS_BITS   = 32,
    parameter int    DATA_BITS      = 64,
    parameter int    ID_BITS        = 4,
    parameter string PART           = "MT41J128M8JP-125",
    parameter int    TCK_PS         = 1250,
    parameter int    RANKS          = 1,
    parameter int    PSEUDO_RANKS   = 1,
    parameter int    REFRESH_GROUPS = 1,
    parameter int    BANK_BITS      = 3,
    parameter int    ADDRESS_PINS   = 14,
    parameter int    ROW_BITS       = 14,
    parameter int    COLUMN_BITS    = 10,
    parameter int    DQ             = 64,
    parameter int    BURST_BEATS    = 8,
    parameter bit    TERMINATED     = 1,
    parameter int    PHASES         = 4,
    parameter int    READ_PHASE     = 1,
    parameter int    WRITE_PHASE    = 0,
    parameter int    READ_LATENCY   = 9,
    parameter int    WRITE_LATENCY  = 1,
    parameter int    CL             = 11,
    parameter int    CWL            = 8,
    parameter int    SOURCE_ID_HIGH = 0,
    parameter int    SOURCE_ID_LOW  = 0,
    parameter int    BASE_PAGES     = 0
);
  logic clock, reset, wlast_is_wrong, latch_dram, watch, latch_observation;
  logic [21:0] fault;

  `WEIR_AXI_SIGNALS(0)
`ifdef PORTS_2
  `WEIR_AXI_SIGNALS(1)
`endif
`ifdef PORTS_3
  `WEIR_AXI_SIGNALS(2)
`endif
`ifdef PORTS_4
  `WEIR_AXI_SIGNALS(3)
`endif

  logic [15:0] s_axil_awaddr, s_axil_araddr;
  logic [2:0] s_axil_awprot, s_axil_arprot;
  logic [31:0] s_axil_wdata, s_axil_rdata;
  logic [3:0] s_axil_wstrb;
  logic [1:0] s_axil_bresp, s_axil_rresp;
  logic s_axil_awvalid, s_axil_awready, s_axil_wvalid, s_axil_wready, s_axil_bvalid, s_axil_bready;
  logic s_axil_arvalid, s_axil_arready, s_axil_rvalid, s_axil_rready;

  logic [PHASES*ADDRESS_PINS-1:0] dfi_address;
  logic [PHASES*BANK_BITS-1:0] dfi_bank;
  logic [PHASES*RANKS-1:0] dfi_cs_n, dfi_cke, dfi_odt;
  logic [PHASES-1:0] dfi_ras_n, dfi_cas_n, dfi_we_n, dfi_act_n, dfi_reset_n;
  logic [PHASES-1:0] dfi_wrdata_en, dfi_rddata_en, dfi_rddata_valid;
  logic [BURST_BEATS*DQ-1:0] dfi_wrdata, dfi_rddata;
  logic [BURST_BEATS*DQ/8-1:0] dfi_wrdata_mask;
  logic [31:0] violations, violations0;

`ifdef CHANNELS_2
  logic [PHASES*ADDRESS_PINS-1:0] dfi_1_address;
  logic [PHASES*BANK_BITS-1:0] dfi_1_bank;
  logic [PHASES*RANKS-1:0] dfi_1_cs_n, dfi_1_cke, dfi_1_odt;
  logic [PHASES-1:0] dfi_1_ras_n, dfi_1_cas_n, dfi_1_we_n, dfi_1_act_n, dfi_1_reset_n;
  logic [PHASES-1:0] dfi_1_wrdata_en, dfi_1_rddata_en, dfi_1_rddata_valid;
  logic [BURST_BEATS*DQ-1:0] dfi_1_wrdata, dfi_1_rddata;
  logic [BURST_BEATS*DQ/8-1:0] dfi_1_wrdata_mask;
  logic [31:0] violations1;
  assign violations = violations0 + violations1;
`else
  assign violations = violations0;
`endif

  // Another master wants the DFI of every channel; it has them.
  logic dfi_phymstr_req, dfi_phymstr_ack;
  logic [1:0] released;
`ifdef CHANNELS_2
  assign dfi_phymstr_ack = &released;
`else
  assign dfi_phymstr_ack = released[0];
`endif

  // Driven by configs that have one.
  logic interrupt;

  // A command is on the DFI: Python looks at the other signals only then.
  logic dfi_busy;
`ifdef CHANNELS_2
  assign dfi_busy = !(&dfi_cs_n) || !(&dfi_1_cs_n);
`else
  assign dfi_busy = !(&dfi_cs_n);
`endif

  // ---- Weir; what the faults of port 0 change goes around it
  logic [ID_BITS-1:0] weir_rid, weir_bid;
  logic [1:0] weir_bresp;
  logic weir_rlast, weir_rvalid, weir_bvalid;
  logic odd, r_falls, b_falls;
  logic [PHASES*BANK_BITS-1:0] weir_bank;
  assign dfi_bank = weir_bank ^ {PHASES{BANK_BITS'(fault[16])}};
  always_ff @(posedge clock) begin
    odd <= !reset && !odd;
    r_falls <= !reset && fault[10] && s_axi_0_rvalid && !s_axi_0_rready;
    b_falls <= !reset && fault[12] && s_axi_0_bvalid && !s_axi_0_bready;
  end
  assign s_axi_0_rid = weir_rid ^ ID_BITS'(fault[6]) ^ ID_BITS'(fault[9] && odd) ^ ID_BITS'(fault[17]);
  assign s_axi_0_rlast = weir_rlast || fault[7];
  assign s_axi_0_rvalid = fault[14] || weir_rvalid && !r_falls;
  assign s_axi_0_bid = weir_bid ^ ID_BITS'(fault[11] && odd);
  assign s_axi_0_bresp = weir_bresp | {fault[8], 1'b0};
  assign s_axi_0_bvalid = fault[13] || weir_bvalid && !b_falls;

  // ---- And those of the registers
  logic [1:0] weir_axil_bresp;
  logic [31:0] weir_axil_rdata, register_word;
  logic [11:0] register_address;
  logic longest_age, least_postponed, two_policies;
  assign s_axil_bresp = fault[18] ? '0 : weir_axil_bresp;
  assign s_axil_rdata = weir_axil_rdata ^ 32'(fault[19]);
  assign two_policies = fault[20] && longest_age && least_postponed;
  always_ff @(posedge clock) begin
    if (s_axil_awvalid && s_axil_awready) register_address <= s_axil_awaddr;
    if (s_axil_wvalid && s_axil_wready) register_word <= s_axil_wdata;
    if (reset) begin
      longest_age <= 0;
      least_postponed <= 0;
    end else if (s_axil_bvalid && s_axil_bready && weir_axil_bresp == '0) begin
      if (register_address == 'h0c4) longest_age <= register_word == 4095;
      if (register_address == 'h0c8) least_postponed <= register_word == 1;
    end
  end

  Weir weir (
      .s_axi_0_arid(s_axi_0_arid ^ ID_BITS'(fault[17])),
      .s_axil_bresp(weir_axil_bresp),
      .s_axil_rdata(weir_axil_rdata),
      .s_axi_0_rid(weir_rid),
      .s_axi_0_rlast(weir_rlast),
      .s_axi_0_rvalid(weir_rvalid),
      .s_axi_0_rready(s_axi_0_rready && !r_falls),
      .s_axi_0_bid(weir_bid),
      .s_axi_0_bresp(weir_bresp),
      .s_axi_0_bvalid(weir_bvalid),
      .s_axi_0_bready(s_axi_0_bready && !b_falls),
`ifdef CHANNELS_2
      .dfi_0_phymstr_req(dfi_phymstr_req),
      .dfi_1_phymstr_req(dfi_phymstr_req),
      .dfi_0_phymstr_ack(released[0]),
      .dfi_1_phymstr_ack(released[1]),
      .dfi_0_address(dfi_address),
      .dfi_0_ras_n(dfi_ras_n),
      .dfi_0_cas_n(dfi_cas_n),
      .dfi_0_we_n(dfi_we_n),
      .dfi_0_act_n(dfi_act_n),
      .dfi_0_reset_n(dfi_reset_n),
      .dfi_0_cs_n(dfi_cs_n),
      .dfi_0_cke(dfi_cke),
      .dfi_0_odt(dfi_odt),
      .dfi_0_wrdata(dfi_wrdata),
      .dfi_0_wrdata_mask(dfi_wrdata_mask),
      .dfi_0_wrdata_en(dfi_wrdata_en),
      .dfi_0_rddata_en(dfi_rddata_en),
      .dfi_0_rddata_valid(dfi_rddata_valid),
      .dfi_0_bank(weir_bank),
      .dfi_0_rddata(dfi_rddata ^ (BURST_BEATS * DQ)'(fault[0])),
      .dfi_1_rddata(dfi_1_rddata ^ (BURST_BEATS * DQ)'(fault[15])),
`else
      .dfi_phymstr_ack(released[0]),
      .dfi_bank(weir_bank),
      .dfi_rddata(dfi_rddata ^ (BURST_BEATS * DQ)'(fault[0])),
`endif
      .*
  );

  // ---- The DRAM; what the faults of commands and write data change goes around it
  logic [PHASES-1:0] late, late_ras_n;
  logic [PHASES*ADDRESS_PINS-1:0] late_address;
  logic [PHASES*BANK_BITS-1:0] late_bank;
  logic [PHASES*RANKS-1:0] late_cs_n;

  logic [PHASES-1:0] activates, refreshes, writes, astray;
  assign activates = fault[4] ? ~dfi_ras_n & dfi_cas_n & dfi_we_n : '0;
  assign refreshes = fault[3] ? ~dfi_ras_n & ~dfi_cas_n & dfi_we_n : '0;
  assign astray = fault[21] ? ~dfi_ras_n & ~dfi_cas_n & dfi_we_n : '0;
  assign writes = fault[5] ? dfi_ras_n & ~dfi_cas_n & ~dfi_we_n : '0;

  always_ff @(posedge clock) begin
    late <= activates;
    late_ras_n <= dfi_ras_n;
    late_address <= dfi_address;
    late_bank <= dfi_bank;
    late_cs_n <= dfi_cs_n;
  end

  logic [PHASES*ADDRESS_PINS-1:0] dram_address;
  logic [PHASES*BANK_BITS-1:0] dram_bank;
  logic [PHASES*RANKS-1:0] dram_cs_n;
  logic [PHASES-1:0] dram_ras_n, dram_cas_n, dram_we_n;
  always_comb begin
    for (int p = 0; p < PHASES; p++) begin
      logic lost;
      lost = activates[p] || refreshes[p] || writes[p];
      dram_cs_n[p*RANKS+:RANKS] = late[p] ? late_cs_n[p*RANKS+:RANKS] : dfi_cs_n[p*RANKS+:RANKS] | {RANKS{lost}};
      dram_ras_n[p] = late[p] ? late_ras_n[p] : dfi_ras_n[p];
      dram_cas_n[p] = late[p] || dfi_cas_n[p];
      dram_we_n[p] = late[p] || dfi_we_n[p];
      dram_bank[p*BANK_BITS+:BANK_BITS] = late[p] ? late_bank[p*BANK_BITS+:BANK_BITS] :
          dfi_bank[p*BANK_BITS+:BANK_BITS] ^ BANK_BITS'(astray[p]) << (BANK_BITS - 1);
      dram_address[p*ADDRESS_PINS+:ADDRESS_PINS] = late[p] ? late_address[p*ADDRESS_PINS+:ADDRESS_PINS] :
          dfi_address[p*ADDRESS_PINS+:ADDRESS_PINS];
    end
  end

  dfi_dram #(
      .PART(PART),
      .TCK_PS(TCK_PS),
      .RANKS(RANKS),
      .BANK_BITS(BANK_BITS),
      .ADDRESS_PINS(ADDRESS_PINS),
      .ROW_BITS(ROW_BITS),
      .COLUMN_BITS(COLUMN_BITS),
      .DQ(DQ),
      .BURST_BEATS(BURST_BEATS),
      .PHASES(PHASES),
      .READ_PHASE(READ_PHASE),
      .WRITE_PHASE(WRITE_PHASE),
      .READ_LATENCY(READ_LATENCY),
      .WRITE_LATENCY(WRITE_LATENCY),
      .CL(CL),
      .CWL(CWL),
      .INITIALISED(1),
      .TERMINATED(TERMINATED),
      .FATAL(1),
      .NAME("dram")
  ) dram (
      .dfi_address(dram_address),
      .dfi_bank(dram_bank),
      .dfi_ras_n(dram_ras_n),
      .dfi_cas_n(dram_cas_n),
      .dfi_we_n(dram_we_n),
      .dfi_cs_n(dram_cs_n),
      .dfi_wrdata(dfi_wrdata ^ (BURST_BEATS * DQ)'(fault[1] || two_policies)),
      .dfi_wrdata_mask(fault[2] ? '0 : dfi_wrdata_mask),
      .dfi_wrdata_en(dfi_wrdata_en & ~writes),
      .violations(violations0),
      .*
  );

`ifdef CHANNELS_2
  dfi_dram #(
      .PART(PART),
      .TCK_PS(TCK_PS),
      .RANKS(RANKS),
      .BANK_BITS(BANK_BITS),
      .ADDRESS_PINS(ADDRESS_PINS),
      .ROW_BITS(ROW_BITS),
      .COLUMN_BITS(COLUMN_BITS),
      .DQ(DQ),
      .BURST_BEATS(BURST_BEATS),
      .PHASES(PHASES),
      .READ_PHASE(READ_PHASE),
      .WRITE_PHASE(WRITE_PHASE),
      .READ_LATENCY(READ_LATENCY),
      .WRITE_LATENCY(WRITE_LATENCY),
      .CL(CL),
      .CWL(CWL),
      .INITIALISED(1),
      .TERMINATED(TERMINATED),
      .FATAL(1),
      .NAME("dram1")
  ) dram1 (
      .clock(clock),
      .reset(reset),
      .dfi_address(dfi_1_address),
      .dfi_ras_n(dfi_1_ras_n),
      .dfi_cas_n(dfi_1_cas_n),
      .dfi_we_n(dfi_1_we_n),
      .dfi_act_n(dfi_1_act_n),
      .dfi_reset_n(dfi_1_reset_n),
      .dfi_cs_n(dfi_1_cs_n),
      .dfi_cke(dfi_1_cke),
      .dfi_odt(dfi_1_odt),
      .dfi_wrdata(dfi_1_wrdata),
      .dfi_wrdata_mask(dfi_1_wrdata_mask),
      .dfi_wrdata_en(dfi_1_wrdata_en),
      .dfi_rddata_en(dfi_1_rddata_en),
      .dfi_rddata_valid(dfi_1_rddata_valid),
      .dfi_bank(dfi_1_bank),
      .dfi_rddata(dfi_1_rddata),
      .violations(violations1)
  );
`endif

  dfi_statistics dram_statistics (
      .clock,
      .latch(latch_dram)
  );

  // ---- The recount of what Weir counts
`ifdef PORTS_4
  localparam int Ports = 4;
`elsif PORTS_3
  localparam int Ports = 3;
`elsif PORTS_2
  localparam int Ports = 2;
`else
  localparam int Ports = 1;
`endif
`ifdef CHANNELS_2
  localparam int Channels = 2;
`else
  localparam int Channels = 1;
`endif

  observe_all #(
      .PART(PART),
      .TCK_PS(TCK_PS),
      .CHANNELS(Channels),
      .RANKS(RANKS),
      .PSEUDO_RANKS(PSEUDO_RANKS),
      .REFRESH_GROUPS(REFRESH_GROUPS),
      .BANK_BITS(BANK_BITS),
      .ROW_BITS(ROW_BITS),
      .COLUMN_BITS(COLUMN_BITS),
      .DQ(DQ),
      .BURST_BEATS(BURST_BEATS),
      .PHASES(PHASES),
      .PORTS(Ports),
      .ID_BITS(ID_BITS),
      .SOURCE_ID_HIGH(SOURCE_ID_HIGH),
      .SOURCE_ID_LOW(SOURCE_ID_LOW),
      .BASE(longint'(BASE_PAGES) << 12)
  ) observation (
      .clock,
      .watch,
      .latch(latch_observation)
  );

  observe_channel #(
      .CHANNEL(0),
      .RANKS(RANKS),
      .BANK_BITS(BANK_BITS),
      .ADDRESS_PINS(ADDRESS_PINS),
      .PHASES(PHASES)
  ) observe_dfi (
      .clock,
      .watch,
      .dfi_address(dram_address),
      .dfi_bank(dram_bank),
      .dfi_ras_n(dram_ras_n),
      .dfi_cas_n(dram_cas_n),
      .dfi_we_n(dram_we_n),
      .dfi_cs_n(dram_cs_n)
  );
`ifdef CHANNELS_2
  observe_channel #(
      .CHANNEL(1),
      .RANKS(RANKS),
      .BANK_BITS(BANK_BITS),
      .ADDRESS_PINS(ADDRESS_PINS),
      .PHASES(PHASES)
  ) observe_dfi_1 (
      .clock,
      .watch,
      .dfi_address(dfi_1_address),
      .dfi_bank(dfi_1_bank),
      .dfi_ras_n(dfi_1_ras_n),
      .dfi_cas_n(dfi_1_cas_n),
      .dfi_we_n(dfi_1_we_n),
      .dfi_cs_n(dfi_1_cs_n)
  );
`endif
endmodule
