// SPDX-License-Identifier: Apache-2.0
// The cores of examples/axi.yml and examples/wishbone.yml, each with its DRAM. Their control buses are driven alike, so
// that both DRAMs are initialised at once.
//
// `fault` breaks both on purpose: bit 0 turns a bit of what the DRAM reads, bit 1 masks a byte of what it writes, bit 2
// hides precharges from it, bit 3 takes the last address bit of memory from the ports. `lose` takes from the cores what
// their DRAMs read; with `shift` each read after one that was lost returns what the one before should have.
//
// `chips_rst` resets the DRAMs, `rst` the cores.
module bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        chips_rst,
    input  logic [ 3:0] fault,
    input  logic        lose,
    input  logic        shift,
    output logic        init_done,
    output logic [31:0] violations,

    input  logic [29:0] wb_ctrl_adr,
    input  logic [31:0] wb_ctrl_dat_w,
    output logic [31:0] wb_ctrl_dat_r,
    input  logic        wb_ctrl_cyc,
    input  logic        wb_ctrl_we,
    output logic        wb_ctrl_ack,
    output logic        wb_ctrl_err,

    input  logic [26:0] wb_adr,
    input  logic [31:0] wb_dat_w,
    output logic [31:0] wb_dat_r,
    input  logic [ 3:0] wb_sel,
    input  logic        wb_cyc,
    input  logic        wb_we,
    output logic        wb_ack,
    output logic        wb_err,

    input  logic [  3:0] axi_awid,
    input  logic [ 31:0] axi_awaddr,
    input  logic [  7:0] axi_awlen,
    input  logic [  2:0] axi_awsize,
    input  logic [  1:0] axi_awburst,
    input  logic         axi_awlock,
    input  logic         axi_awvalid,
    output logic         axi_awready,
    input  logic [127:0] axi_wdata,
    input  logic [ 15:0] axi_wstrb,
    input  logic         axi_wlast,
    input  logic         axi_wvalid,
    output logic         axi_wready,
    output logic [  3:0] axi_bid,
    output logic [  1:0] axi_bresp,
    output logic         axi_bvalid,
    input  logic         axi_bready,
    input  logic [  3:0] axi_arid,
    input  logic [ 31:0] axi_araddr,
    input  logic [  7:0] axi_arlen,
    input  logic [  2:0] axi_arsize,
    input  logic [  1:0] axi_arburst,
    input  logic         axi_arlock,
    input  logic         axi_arvalid,
    output logic         axi_arready,
    output logic [  3:0] axi_rid,
    output logic [127:0] axi_rdata,
    output logic [  1:0] axi_rresp,
    output logic         axi_rlast,
    output logic         axi_rvalid,
    input  logic         axi_rready
);
  wire [1:0][31:0] broken;
  wire [1:0] done, control_ack, control_err;
  wire [1:0][31:0] control_data;
  assign violations = broken[0] + broken[1];
  assign init_done = &done;
  assign wb_ctrl_ack = &control_ack;
  assign wb_ctrl_err = |control_err;
  // so that software waits for both
  assign wb_ctrl_dat_r = control_data[0] & control_data[1];

  // verilog_format: off
`define CORE_PINS(INDEX) \
      .wb_ctrl_stb(wb_ctrl_cyc), \
      .wb_ctrl_sel(4'b1111), \
      .wb_ctrl_cti(3'b0), \
      .wb_ctrl_bte(2'b0), \
      .wb_ctrl_ack(control_ack[INDEX]), \
      .wb_ctrl_err(control_err[INDEX]), \
      .wb_ctrl_dat_r(control_data[INDEX]), \
      .init_done(done[INDEX]), \
      .init_error(), \
      .user_clk(), \
      .user_rst(), \
      .dfi_address(g_dram[INDEX].dfi_address), \
      .dfi_bank(g_dram[INDEX].dfi_bank), \
      .dfi_ras_n(g_dram[INDEX].dfi_ras_n), \
      .dfi_cas_n(g_dram[INDEX].dfi_cas_n), \
      .dfi_we_n(g_dram[INDEX].dfi_we_n), \
      .dfi_act_n(g_dram[INDEX].dfi_act_n), \
      .dfi_reset_n(g_dram[INDEX].dfi_reset_n), \
      .dfi_cs_n(g_dram[INDEX].dfi_cs_n), \
      .dfi_cke(g_dram[INDEX].dfi_cke), \
      .dfi_odt(g_dram[INDEX].dfi_odt), \
      .dfi_wrdata(g_dram[INDEX].dfi_wrdata), \
      .dfi_wrdata_mask(g_dram[INDEX].dfi_wrdata_mask), \
      .dfi_wrdata_en(g_dram[INDEX].dfi_wrdata_en), \
      .dfi_rddata_en(g_dram[INDEX].dfi_rddata_en), \
      .dfi_rddata((shift && g_dram[INDEX].missed ? g_dram[INDEX].earlier : g_dram[INDEX].dfi_rddata) ^ {127'b0, fault[0]}), \
      .dfi_rddata_valid(g_dram[INDEX].dfi_rddata_valid & {2{!lose}})
  // verilog_format: on

  weir_axi axi_core (
      // verilog_lint: waive-start module-port (the macro holds named ports)
      `CORE_PINS(0),
      // verilog_lint: waive-stop module-port
      .axi_awregion(4'b0),
      .axi_awuser(1'b0),
      .axi_wuser(1'b0),
      .axi_buser(),
      .axi_arregion(4'b0),
      .axi_aruser(1'b0),
      .axi_ruser(),
      .axi_awcache(4'b0),
      .axi_awprot(3'b0),
      .axi_awqos(4'b0),
      .axi_arcache(4'b0),
      .axi_arprot(3'b0),
      .axi_arqos(4'b0),
      .axi_awaddr(axi_awaddr & ~{3'b0, fault[3], 28'b0}),
      .axi_araddr(axi_araddr & ~{3'b0, fault[3], 28'b0}),
      .*
  );

  weir_wishbone wishbone_core (
      // verilog_lint: waive-start module-port (the macro holds named ports)
      `CORE_PINS(1),
      // verilog_lint: waive-stop module-port
      .wb_stb(wb_cyc),
      .wb_cti(3'b0),
      .wb_bte(2'b0),
      .wb_adr(wb_adr & ~{fault[3], 26'b0}),
      .*
  );

  for (genvar index = 0; index < 2; index++) begin : g_dram
    wire [29:0] dfi_address;
    wire [ 5:0] dfi_bank;
    wire [1:0] dfi_ras_n, dfi_cas_n, dfi_we_n, dfi_act_n, dfi_reset_n, dfi_cs_n, dfi_cke, dfi_odt;
    wire [127:0] dfi_wrdata, dfi_rddata;
    wire [15:0] dfi_wrdata_mask;
    wire [1:0] dfi_wrdata_en, dfi_rddata_en, dfi_rddata_valid;
    logic missed;
    logic [127:0] earlier;
    always_ff @(posedge clk) begin
      if (dfi_rddata_valid[0]) earlier <= dfi_rddata;
      missed <= !rst && (missed || lose && dfi_rddata_valid[0]);
    end
    wire [1:0] precharge = ~dfi_ras_n & dfi_cas_n & ~dfi_we_n;

    // The latencies of LiteDRAM's ECP5DDRPHY at CL 6 and CWL 5: three cycles and ten, and three.
    dfi_dram #(
        .PART("MT41K256M16-125"),
        .TCK_PS(6666),
        .ADDRESS_PINS(15),
        .ROW_BITS(15),
        .DQ(16),
        .PHASES(2),
        .READ_PHASE(0),
        .WRITE_PHASE(1),
        .READ_LATENCY(13),
        .WRITE_LATENCY(3),
        .CL(6),
        .CWL(5),
        .INITIALISED(0),
        .FATAL(0),
        .NAME(index == 0 ? "axi" : "wishbone")
    ) dram (
        .clock(clk),
        .reset(chips_rst),
        .violations(broken[index]),
        .dfi_cs_n(dfi_cs_n | (precharge & {2{fault[2]}})),
        .dfi_wrdata_mask(dfi_wrdata_mask | {15'b0, fault[1]}),
        .*
    );
  end
endmodule
