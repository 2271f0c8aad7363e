// SPDX-License-Identifier: Apache-2.0
// A controller with PORTS AXI4 ports on the DRAM model. CONTROLLER (a macro) is the module: Weir, or LiteDRAM
// with the same ports; macro WEIR_REGISTERS says that it has Weir's AXI4-Lite registers, which can be
// written here. Every AXI4 signal is an array over the ports. Macro CHANNELS_2 says that the controller has
// two channels of DRAM, each with a model of its own: `dram` and `dram1`.
//
// `fault` breaks the design on purpose, for the tests of the checks: bit 0 inverts the lowest bit of all
// read data, bit 1 masks byte 0 of all write data, bit 2 keeps precharges from the DRAM, bit 3 opens the
// lines that are being moved to accesses (where the macro WEIR_MIGRATION says that pages move), bit 4
// inverts the lowest bit of the data read from the last channel alone, bit 5 holds ODT high, bit 6 lets it
// come a clock late, bit 7 gives it to the next rank.

`define WEIR_AXI_PORT(i) \
  .s_axi_``i``_awid(awid[i]), .s_axi_``i``_awaddr(awaddr[i]), .s_axi_``i``_awlen(awlen[i]), \
  .s_axi_``i``_awsize(awsize[i]), .s_axi_``i``_awburst(awburst[i]), .s_axi_``i``_awlock(awlock[i]), \
  .s_axi_``i``_awcache(4'b0011), .s_axi_``i``_awprot(3'b000), .s_axi_``i``_awqos(4'b0000), \
  .s_axi_``i``_awvalid(awvalid[i]), .s_axi_``i``_awready(awready[i]), \
  .s_axi_``i``_wdata(wdata[i]), .s_axi_``i``_wstrb(wstrb[i]), .s_axi_``i``_wlast(wlast[i]), \
  .s_axi_``i``_wvalid(wvalid[i]), .s_axi_``i``_wready(wready[i]), \
  .s_axi_``i``_bid(bid[i]), .s_axi_``i``_bresp(bresp[i]), .s_axi_``i``_bvalid(bvalid[i]), \
  .s_axi_``i``_bready(bready[i]), \
  .s_axi_``i``_arid(arid[i]), .s_axi_``i``_araddr(araddr[i]), .s_axi_``i``_arlen(arlen[i]), \
  .s_axi_``i``_arsize(arsize[i]), .s_axi_``i``_arburst(arburst[i]), .s_axi_``i``_arlock(arlock[i]), \
  .s_axi_``i``_arcache(4'b0011), .s_axi_``i``_arprot(3'b000), .s_axi_``i``_arqos(4'b0000), \
  .s_axi_``i``_arvalid(arvalid[i]), .s_axi_``i``_arready(arready[i]), \
  .s_axi_``i``_rid(rid[i]), .s_axi_``i``_rdata(rdata[i]), .s_axi_``i``_rresp(rresp[i]), \
  .s_axi_``i``_rlast(rlast[i]), .s_axi_``i``_rvalid(rvalid[i]), .s_axi_``i``_rready(rready[i]),

module bench #(
    parameter int    DATA_BITS     = 512,
    parameter int    ID_BITS       = 4,
    parameter int    ADDRESS_BITS  = 32,
    parameter string PART          = "MT41J128M8JP-125",
    parameter int    TCK_PS        = 1250,
    parameter int    RANKS         = 2,
    parameter int    BANK_BITS     = 3,
    parameter int    ADDRESS_PINS  = 14,
    parameter int    ROW_BITS      = 14,
    parameter int    COLUMN_BITS   = 10,
    parameter int    DQ            = 64,
    parameter int    BURST_BEATS   = 8,
    parameter int    PHASES        = 4,
    parameter int    READ_PHASE    = 1,
    parameter int    WRITE_PHASE   = 0,
    parameter int    READ_LATENCY  = 9,
    parameter int    WRITE_LATENCY = 1,
    parameter int    CL            = 11,
    parameter int    CWL           = 8,
    parameter int    PSEUDO_RANKS  = 1,
    parameter string FEATURES      = "",
    parameter bit    TERMINATED    = 1,
    parameter bit    FATAL         = 1
) (
    input  logic                     clock,
    input  logic                     reset,
    input  logic [              7:0] fault,
    input  logic [      ID_BITS-1:0] awid          [`PORTS],
    input  logic [ ADDRESS_BITS-1:0] awaddr        [`PORTS],
    input  logic [              7:0] awlen         [`PORTS],
    input  logic [              2:0] awsize        [`PORTS],
    input  logic [              1:0] awburst       [`PORTS],
    input  logic                     awlock        [`PORTS],
    input  logic                     awvalid       [`PORTS],
    output logic                     awready       [`PORTS],
    input  logic [    DATA_BITS-1:0] wdata         [`PORTS],
    input  logic [DATA_BITS / 8-1:0] wstrb         [`PORTS],
    input  logic                     wlast         [`PORTS],
    input  logic                     wvalid        [`PORTS],
    output logic                     wready        [`PORTS],
    output logic [      ID_BITS-1:0] bid           [`PORTS],
    output logic [              1:0] bresp         [`PORTS],
    output logic                     bvalid        [`PORTS],
    input  logic                     bready        [`PORTS],
    input  logic [      ID_BITS-1:0] arid          [`PORTS],
    input  logic [ ADDRESS_BITS-1:0] araddr        [`PORTS],
    input  logic [              7:0] arlen         [`PORTS],
    input  logic [              2:0] arsize        [`PORTS],
    input  logic [              1:0] arburst       [`PORTS],
    input  logic                     arlock        [`PORTS],
    input  logic                     arvalid       [`PORTS],
    output logic                     arready       [`PORTS],
    output logic [      ID_BITS-1:0] rid           [`PORTS],
    output logic [    DATA_BITS-1:0] rdata         [`PORTS],
    output logic [              1:0] rresp         [`PORTS],
    output logic                     rlast         [`PORTS],
    output logic                     rvalid        [`PORTS],
    input  logic                     rready        [`PORTS],
    input  logic [             15:0] s_axil_awaddr,
    input  logic                     s_axil_awvalid,
    output logic                     s_axil_awready,
    input  logic [             31:0] s_axil_wdata,
    input  logic                     s_axil_wvalid,
    output logic                     s_axil_wready,
    output logic [              1:0] s_axil_bresp,
    output logic                     s_axil_bvalid,
    input  logic [             15:0] s_axil_araddr,
    input  logic                     s_axil_arvalid,
    output logic                     s_axil_arready,
    output logic [             31:0] s_axil_rdata,
    output logic [              1:0] s_axil_rresp,
    output logic                     s_axil_rvalid,
    output logic [             31:0] violations
);
`ifndef WEIR_REGISTERS
  assign s_axil_awready = 1'b0;
  assign s_axil_wready  = 1'b0;
  assign s_axil_bresp   = 2'b00;
  assign s_axil_bvalid  = 1'b0;
  assign s_axil_arready = 1'b0;
  assign s_axil_rdata   = 32'b0;
  assign s_axil_rresp   = 2'b00;
  assign s_axil_rvalid  = 1'b0;
`endif
  wire interrupt;  // of a config that has one

  // The DFI of a channel, and the DRAM behind it.
  `define WEIR_CHANNEL(dfi, name, broken) \
  wire [PHASES*ADDRESS_PINS-1:0] dfi``_address; \
  wire [PHASES*BANK_BITS-1:0] dfi``_bank; \
  wire [PHASES-1:0] dfi``_ras_n, dfi``_cas_n, dfi``_we_n, dfi``_act_n, dfi``_reset_n; \
  wire [PHASES*RANKS-1:0] dfi``_cs_n, dfi``_cke, dfi``_odt; \
  wire dfi``_phymstr_req = 1'b0, dfi``_phymstr_ack; \
  wire [BURST_BEATS*DQ-1:0] dfi``_wrdata, dfi``_rddata; \
  wire [BURST_BEATS*DQ/8-1:0] dfi``_wrdata_mask; \
  wire [PHASES-1:0] dfi``_wrdata_en, dfi``_rddata_en, dfi``_rddata_valid; \
  wire [31:0] violations_``name; \
  bench_dram #( \
      .PART(PART), .TCK_PS(TCK_PS), .RANKS(RANKS), .BANK_BITS(BANK_BITS), .ADDRESS_PINS(ADDRESS_PINS), \
      .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS), .DQ(DQ), .BURST_BEATS(BURST_BEATS), .PHASES(PHASES), .READ_PHASE(READ_PHASE), \
      .WRITE_PHASE(WRITE_PHASE), .READ_LATENCY(READ_LATENCY), .WRITE_LATENCY(WRITE_LATENCY), .CL(CL), \
      .CWL(CWL), .PSEUDO_RANKS(PSEUDO_RANKS), .FEATURES(FEATURES), .TERMINATED(TERMINATED), .FATAL(FATAL), .NAME(`"name`") \
  ) name ( \
      .clock(clock), .reset(reset), .fault({fault[7:5], broken, fault[2:0]}), .dfi_address(dfi``_address), \
      .dfi_bank(dfi``_bank), .dfi_ras_n(dfi``_ras_n), .dfi_cas_n(dfi``_cas_n), .dfi_we_n(dfi``_we_n), \
      .dfi_act_n(dfi``_act_n), .dfi_reset_n(dfi``_reset_n), .dfi_cs_n(dfi``_cs_n), .dfi_cke(dfi``_cke), \
      .dfi_odt(dfi``_odt), .dfi_wrdata(dfi``_wrdata), .dfi_wrdata_mask(dfi``_wrdata_mask), \
      .dfi_wrdata_en(dfi``_wrdata_en), .dfi_rddata_en(dfi``_rddata_en), .dfi_rddata(dfi``_rddata), \
      .dfi_rddata_valid(dfi``_rddata_valid), .violations(violations_``name) \
  );

`ifdef CHANNELS_2
  `WEIR_CHANNEL(dfi_0, dram, 1'b0)
  `WEIR_CHANNEL(dfi_1, dram1, fault[4])
  assign violations = violations_dram + violations_dram1;
`else
  `WEIR_CHANNEL(dfi, dram, fault[4])
  assign violations = violations_dram;
`endif

  `CONTROLLER controller (
      // verilog_lint: waive-start module-port (the macro holds named ports)
      `WEIR_AXI_PORT(0)
`ifdef PORTS_2
      `WEIR_AXI_PORT(1)
`endif
`ifdef PORTS_3
      `WEIR_AXI_PORT(2)
`endif
`ifdef PORTS_4
      `WEIR_AXI_PORT(3)
`endif
      // verilog_lint: waive-stop module-port
`ifdef WEIR_REGISTERS
      .s_axil_awprot(3'b0),
      .s_axil_wstrb (4'b1111),
      .s_axil_bready(1'b1),
      .s_axil_arprot(3'b0),
      .s_axil_rready(1'b1),
`endif
      .*
  );

`ifdef WEIR_MIGRATION
  always @(negedge clock) if (fault[3]) controller.mover.sequence_0.lockedUntil = controller.mover.sequence_0.done;
`endif
endmodule

// The DRAM of a channel, with what breaks the way to it and back: `fault` bits 0 to 2 as above, bit 3 as bit 0,
// bits 4 to 6 as 5 to 7 above.
module bench_dram #(
    parameter string PART          = "MT41J128M8JP-125",
    parameter int    TCK_PS        = 1250,
    parameter int    RANKS         = 2,
    parameter int    BANK_BITS     = 3,
    parameter int    ADDRESS_PINS  = 14,
    parameter int    ROW_BITS      = 14,
    parameter int    COLUMN_BITS   = 10,
    parameter int    DQ            = 64,
    parameter int    BURST_BEATS   = 8,
    parameter int    PHASES        = 4,
    parameter int    READ_PHASE    = 1,
    parameter int    WRITE_PHASE   = 0,
    parameter int    READ_LATENCY  = 9,
    parameter int    WRITE_LATENCY = 1,
    parameter int    CL            = 11,
    parameter int    CWL           = 8,
    parameter int    PSEUDO_RANKS  = 1,
    parameter string FEATURES      = "",
    parameter bit    TERMINATED    = 1,
    parameter bit    FATAL         = 1,
    parameter string NAME          = "dram"
) (
    input  logic                           clock,
    input  logic                           reset,
    input  logic [                    6:0] fault,
    input  logic [PHASES*ADDRESS_PINS-1:0] dfi_address,
    input  logic [   PHASES*BANK_BITS-1:0] dfi_bank,
    input  logic [             PHASES-1:0] dfi_ras_n,
    input  logic [             PHASES-1:0] dfi_cas_n,
    input  logic [             PHASES-1:0] dfi_we_n,
    input  logic [             PHASES-1:0] dfi_act_n,
    input  logic [             PHASES-1:0] dfi_reset_n,
    input  logic [       PHASES*RANKS-1:0] dfi_cs_n,
    input  logic [       PHASES*RANKS-1:0] dfi_cke,
    input  logic [       PHASES*RANKS-1:0] dfi_odt,
    input  logic [     BURST_BEATS*DQ-1:0] dfi_wrdata,
    input  logic [   BURST_BEATS*DQ/8-1:0] dfi_wrdata_mask,
    input  logic [             PHASES-1:0] dfi_wrdata_en,
    input  logic [             PHASES-1:0] dfi_rddata_en,
    output logic [     BURST_BEATS*DQ-1:0] dfi_rddata,
    output logic [             PHASES-1:0] dfi_rddata_valid,
    output logic [                   31:0] violations
);
  wire [PHASES-1:0] precharge = ~dfi_ras_n & dfi_cas_n & ~dfi_we_n;
  wire [PHASES*RANKS-1:0] dram_cs_n;
  for (genvar phase = 0; phase < PHASES; phase++) begin : gen_select
    wire hide = fault[2] & precharge[phase];
    assign dram_cs_n[phase*RANKS+:RANKS] = dfi_cs_n[phase*RANKS+:RANKS] | {RANKS{hide}};
  end

  // ODT as the chips get it.
  wire [PHASES*RANKS-1:0] dram_odt;
  logic [RANKS-1:0] last_odt;
  always_ff @(posedge clock) last_odt <= dfi_odt[(PHASES-1)*RANKS+:RANKS];
  wire [(PHASES+1)*RANKS-1:0] odt_clocks = {dfi_odt, last_odt};
  for (genvar phase = 0; phase < PHASES; phase++) begin : gen_odt
    wire [  RANKS-1:0] odt = fault[5] ? odt_clocks[phase*RANKS+:RANKS] : dfi_odt[phase*RANKS+:RANKS];
    wire [2*RANKS-1:0] twice = {2{odt}};
    assign dram_odt[phase*RANKS+:RANKS] = (fault[6] ? twice[RANKS-1+:RANKS] : odt) | {RANKS{fault[4]}};
  end
  // LiteDRAM holds ODT high: right where RTT_NOM is off.
`ifdef WEIR_REGISTERS
  localparam bit Terminated = TERMINATED;
`else
  localparam bit Terminated = 0;
`endif

  wire [BURST_BEATS*DQ-1:0] dram_rddata;
  assign dfi_rddata = dram_rddata ^ {{(BURST_BEATS * DQ - 1) {1'b0}}, fault[0] ^ fault[3]};

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
      .TERMINATED(Terminated),
      .PSEUDO_RANKS(PSEUDO_RANKS),
      .FEATURES(FEATURES),
      .FATAL(FATAL),
      .NAME(NAME)
  ) model (
      .dfi_cs_n(dram_cs_n),
      .dfi_rddata(dram_rddata),
      .dfi_odt(dram_odt),
      .dfi_wrdata_mask(dfi_wrdata_mask | {{(BURST_BEATS * DQ / 8 - 1) {1'b0}}, fault[1]}),
      .*
  );
endmodule
