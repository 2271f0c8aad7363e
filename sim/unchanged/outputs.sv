// SPDX-License-Identifier: Apache-2.0
// All that a controller drives in a run as a number: of the DFI of each channel, and of the AXI4 ports. Bound into the
// bench (sim/bench), whose programs then print a line `outputs NAME NUMBER` for each of them at their end.
//
// What a signal holds where it means nothing is left out: payloads without their valid, an address without a chip select,
// write data but where they are WRITE_LATENCY cycles after their enable.

// NUMBER of what `signals` held at each rising edge since the end of reset. An output that is different in one cycle, or
// comes a cycle later, gives another number, but for one chance in 2^64.
module outputs #(
    parameter int    BITS = 64,
    parameter string NAME = ""
) (
    input logic            clock,
    input logic            reset,
    input logic [BITS-1:0] signals
);
  localparam int Words = (BITS + 63) / 64;
  wire [64*Words-1:0] padded = (64 * Words)'(signals);
  logic [63:0] number, next;

  always_comb begin
    next = number;
    for (int word = 0; word < Words; word++) begin
      // Each step is a bijection of `next`: a multiplication by an odd number, whose high bits are folded down.
      next = (next ^ padded[64*word+:64]) * 64'h9e3779b97f4a7c15;
      next = next ^ (next >> 31);
    end
  end
  always_ff @(posedge clock) number <= reset ? '0 : next;

  final $display("outputs %s %h", NAME, number);
endmodule

// The DFI of a channel; ports and parameters are those of dfi_dram (sim/dram).
module dfi_outputs #(
    parameter int    RANKS         = 1,
    parameter int    BANK_BITS     = 3,
    parameter int    ADDRESS_PINS  = 14,
    parameter int    DQ            = 64,
    parameter int    PHASES        = 4,
    parameter int    WRITE_LATENCY = 1,
    parameter string NAME          = "dram"
) (
    input logic                           clock,
    input logic                           reset,
    input logic [PHASES*ADDRESS_PINS-1:0] dfi_address,
    input logic [   PHASES*BANK_BITS-1:0] dfi_bank,
    input logic [             PHASES-1:0] dfi_ras_n,
    input logic [             PHASES-1:0] dfi_cas_n,
    input logic [             PHASES-1:0] dfi_we_n,
    input logic [             PHASES-1:0] dfi_act_n,
    input logic [             PHASES-1:0] dfi_reset_n,
    input logic [       PHASES*RANKS-1:0] dfi_cs_n,
    input logic [       PHASES*RANKS-1:0] dfi_cke,
    input logic [       PHASES*RANKS-1:0] dfi_odt,
    input logic [               8*DQ-1:0] dfi_wrdata,
    input logic [                 DQ-1:0] dfi_wrdata_mask,
    input logic [             PHASES-1:0] dfi_wrdata_en,
    input logic [             PHASES-1:0] dfi_rddata_en
);
  localparam int CommandBits = ADDRESS_PINS + BANK_BITS + 4;
  logic [PHASES*CommandBits-1:0] commands;
  for (genvar phase = 0; phase < PHASES; phase++) begin : gen_command
    wire selected = !(&dfi_cs_n[phase*RANKS+:RANKS]);
    assign commands[phase*CommandBits+:CommandBits] = {CommandBits{selected}} & {
      dfi_address[phase*ADDRESS_PINS+:ADDRESS_PINS],
      dfi_bank[phase*BANK_BITS+:BANK_BITS],
      dfi_ras_n[phase],
      dfi_cas_n[phase],
      dfi_we_n[phase],
      dfi_act_n[phase]
    };
  end

  logic [WRITE_LATENCY:0] enabled;  // bit n: write data were enabled n cycles ago
  assign enabled[0] = |dfi_wrdata_en;
  if (WRITE_LATENCY > 0) begin : gen_delay
    always_ff @(posedge clock) enabled[WRITE_LATENCY:1] <= enabled[WRITE_LATENCY-1:0];
  end
  wire [9*DQ-1:0] data = {9 * DQ{enabled[WRITE_LATENCY]}} & {dfi_wrdata, dfi_wrdata_mask};

  localparam int Bits = PHASES * CommandBits + PHASES * 3 * RANKS + 9 * DQ + 3 * PHASES;
  outputs #(
      .BITS(Bits),
      .NAME(NAME)
  ) held (
      .signals({commands, dfi_cs_n, dfi_cke, dfi_odt, dfi_reset_n, dfi_wrdata_en, dfi_rddata_en, data}),
      .*
  );
endmodule

// The AXI4 ports of a controller; ports and parameters are those of bench (sim/bench).
module axi_outputs #(
    parameter int    DATA_BITS = 512,
    parameter int    ID_BITS   = 4,
    parameter string NAME      = "axi"
) (
    input logic                 clock,
    input logic                 reset,
    input logic                 awready[`PORTS],
    input logic                 wready [`PORTS],
    input logic [  ID_BITS-1:0] bid    [`PORTS],
    input logic [          1:0] bresp  [`PORTS],
    input logic                 bvalid [`PORTS],
    input logic                 arready[`PORTS],
    input logic [  ID_BITS-1:0] rid    [`PORTS],
    input logic [DATA_BITS-1:0] rdata  [`PORTS],
    input logic [          1:0] rresp  [`PORTS],
    input logic                 rlast  [`PORTS],
    input logic                 rvalid [`PORTS]
);
  localparam int BBits = ID_BITS + 2, RBits = ID_BITS + DATA_BITS + 3, PortBits = BBits + RBits + 5;
  logic [`PORTS*PortBits-1:0] ports;
  for (genvar port = 0; port < `PORTS; port++) begin : gen_port
    assign ports[port*PortBits+:PortBits] = {
      awready[port],
      wready[port],
      arready[port],
      bvalid[port],
      rvalid[port],
      {BBits{bvalid[port]}} & {bid[port], bresp[port]},
      {RBits{rvalid[port]}} & {rid[port], rdata[port], rresp[port], rlast[port]}
    };
  end
  outputs #(
      .BITS(`PORTS * PortBits),
      .NAME(NAME)
  ) held (
      .signals(ports),
      .*
  );
endmodule

