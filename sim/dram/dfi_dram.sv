// SPDX-License-Identifier: Apache-2.0
//
// DRAM behind DFI: the simulation model of chips and PHY, in C++ (sim/dram), one instance for each channel.
//
// Clock domain: `clock`, the controller's. A cycle spans PHASES DRAM clocks of TCK_PS picoseconds and carries the data of
// a whole burst of eight. Signals of all phases are side by side, phase 0 lowest; those with a bit for each rank have the
// ranks of a phase side by side. Commands have DDR3's encoding, for DDR4 too (act_n is not looked at).
// wrdata stands WRITE_LATENCY cycles after its command, rddata and rddata_valid READ_LATENCY cycles after theirs. Byte k
// of a line is wrdata[8k +: 8], in the order of the beats; a mask bit of 1 leaves that byte as it was.
//
// `reset` (synchronous) puts the chips back to their start: INITIALISED, or before power-up; what they hold stays. With
// TERMINATED the mode registers of the start have RTT_NOM and RTT_WR on, without it they are off and ODT means nothing.
// `violations` counts broken rules. With FATAL, the first prints the command, the rule and both times, and ends the
// simulation by $fatal.
//
// FEATURES is what the chips can do or need beyond PART, as items between commas (README.md, "Features"):
//   refresh=none           an ideal memory, which needs no refresh and takes none
//   fine_refresh=2 or 4    refreshes of fine granularity, on DDR4 as though mode register 3 chose it at the start
//   on_the_fly             only those with BG0 (on DDR3 BA0) high are fine
//   optimistic_trfc        a fine refresh takes tRFC / 2 or 4
//   extended_temperature   tREFI 3.9 us and retention 32 ms
//   time_scale=1 to 64     the memory is so many times slower
//   refresh_groups=2 or 4  refreshes, and precharges of all banks, of the banks that the upper bits of the bank name
//
// ADDRESS_MAP is the order of byte addresses for preload and dump, the most significant first: row_rank_bank_column or
// rank_row_bank_column. In the latter the upper bits of the bank that tell PSEUDO_RANKS apart are with the rank.
//
// Plusargs, for an instance called NAME: +NAME_features=TEXT in place of FEATURES; +NAME_trace=FILE writes a command
// trace (trace.py reads it); +NAME_statistics=FILE writes the counts of each latch (dfi_statistics.sv) and of the end, a
// line of JSON each; +NAME_preload=FILE fills memory from its first byte.
module dfi_dram #(
    parameter string PART = "MT41J128M8JP-125",
    parameter int TCK_PS = 1250,
    parameter int RANKS = 1,
    parameter int BANK_BITS = 3,
    parameter int ADDRESS_PINS = 14,
    parameter int ROW_BITS = 14,
    parameter int COLUMN_BITS = 10,
    parameter int DQ = 64,
    parameter int BURST_BEATS = 8,
    parameter int PHASES = 4,
    parameter int READ_PHASE = 1,
    parameter int WRITE_PHASE = 0,
    parameter int READ_LATENCY = 9,
    parameter int WRITE_LATENCY = 1,
    parameter int CL = 11,
    parameter int CWL = 8,
    parameter bit INITIALISED = 1,
    parameter bit TERMINATED = 0,
    parameter bit FATAL = 1,
    parameter string FEATURES = "",
    parameter string ADDRESS_MAP = "row_rank_bank_column",
    parameter int PSEUDO_RANKS = 1,
    parameter string NAME = "dram"
) (
    input logic clock,
    input logic reset,
    input logic [PHASES*ADDRESS_PINS-1:0] dfi_address,
    input logic [PHASES*BANK_BITS-1:0] dfi_bank,
    input logic [PHASES-1:0] dfi_ras_n,
    input logic [PHASES-1:0] dfi_cas_n,
    input logic [PHASES-1:0] dfi_we_n,
    input logic [PHASES-1:0] dfi_act_n,
    input logic [PHASES-1:0] dfi_reset_n,
    input logic [PHASES*RANKS-1:0] dfi_cs_n,
    input logic [PHASES*RANKS-1:0] dfi_cke,
    input logic [PHASES*RANKS-1:0] dfi_odt,
    input logic [BURST_BEATS*DQ-1:0] dfi_wrdata,
    input logic [BURST_BEATS*DQ/8-1:0] dfi_wrdata_mask,
    input logic [PHASES-1:0] dfi_wrdata_en,
    input logic [PHASES-1:0] dfi_rddata_en,
    output logic [BURST_BEATS*DQ-1:0] dfi_rddata,
    output logic [PHASES-1:0] dfi_rddata_valid,
    output logic [31:0] violations
);

  // The widths of the imported functions are those of the widest channel, so that instances of different widths agree.
  import "DPI-C" function int weir_dram_open(
    input string name,
    input string part,
    input int clock_ps,
    input int ranks,
    input int bank_bits,
    input int address_pins,
    input int row_bits,
    input int column_bits,
    input int dq,
    input int burst_beats,
    input int phases,
    input int read_phase,
    input int write_phase,
    input int read_latency,
    input int write_latency,
    input int cl,
    input int cwl,
    input bit initialised,
    input bit terminated,
    input bit fatal,
    input string features,
    input string address_map,
    input int pseudo_ranks
  );
  import "DPI-C" function void weir_dram_reset(input int number);
  import "DPI-C" function void weir_dram_clock(
    input int number,
    input bit [127:0] address,
    input bit [31:0] bank,
    input bit [31:0] cs_n,
    input bit [31:0] cke,
    input bit [31:0] odt,
    input bit [31:0] ras_n,
    input bit [31:0] cas_n,
    input bit [31:0] we_n,
    input bit [31:0] reset_n,
    input bit [31:0] wrdata_en,
    input bit [31:0] rddata_en,
    output bit takes_write_data,
    output bit has_read_data,
    output bit broken
  );
  import "DPI-C" function void weir_dram_write(
    input int number,
    input bit [511:0] line,
    input bit [63:0] mask
  );
  import "DPI-C" function void weir_dram_read(
    input int number,
    output bit [511:0] line
  );
  import "DPI-C" function int unsigned weir_dram_violations(input int number);
  import "DPI-C" function bit weir_dram_trace(
    input int number,
    input string path
  );
  import "DPI-C" function bit weir_dram_record(
    input int number,
    input string path
  );
  import "DPI-C" function bit weir_dram_preload(
    input int number,
    input string path,
    input longint address
  );
  import "DPI-C" function void weir_dram_finish(input int number);

  // What rddata shows in a cycle that carries no data: nothing that a controller should have taken.
  localparam logic [BURST_BEATS*DQ-1:0] Idle = {BURST_BEATS * DQ / 8{8'hdb}};

  int number;

  initial begin
    string path;
    string features;
    features = FEATURES;
    if ($value$plusargs({NAME, "_features=%s"}, path)) features = path;
    number = weir_dram_open(
        NAME,
        PART,
        TCK_PS,
        RANKS,
        BANK_BITS,
        ADDRESS_PINS,
        ROW_BITS,
        COLUMN_BITS,
        DQ,
        BURST_BEATS,
        PHASES,
        READ_PHASE,
        WRITE_PHASE,
        READ_LATENCY,
        WRITE_LATENCY,
        CL,
        CWL,
        INITIALISED,
        TERMINATED,
        FATAL,
        features,
        ADDRESS_MAP,
        PSEUDO_RANKS
    );
    if (number < 0) $fatal(1, "DRAM '%s': bad parameters", NAME);
    if ($value$plusargs({NAME, "_trace=%s"}, path) && !weir_dram_trace(number, path))
      $fatal(1, "DRAM '%s': no trace", NAME);
    if ($value$plusargs({NAME, "_statistics=%s"}, path) && !weir_dram_record(number, path))
      $fatal(1, "DRAM '%s': no statistics", NAME);
    if ($value$plusargs({NAME, "_preload=%s"}, path) && !weir_dram_preload(number, path, 0))
      $fatal(1, "DRAM '%s': no preload", NAME);
  end

  final if (number >= 0) weir_dram_finish(number);

  // verilator lint_off UNUSEDSIGNAL
  bit [511:0] line;  // of the widest bus
  // verilator lint_on UNUSEDSIGNAL
  bit takes_write_data;
  bit has_read_data;
  bit broken;

  always_ff @(posedge clock) begin
    if (number < 0) begin
      violations <= 0;  // a simulation that goes on after $fatal has no model
    end else if (reset) begin
      weir_dram_reset(number);
      dfi_rddata <= Idle;
      dfi_rddata_valid <= '0;
      violations <= weir_dram_violations(number);
    end else begin
      weir_dram_clock(number, 128'(dfi_address), 32'(dfi_bank), 32'(dfi_cs_n), 32'(dfi_cke), 32'(dfi_odt),
                      32'(dfi_ras_n), 32'(dfi_cas_n), 32'(dfi_we_n), 32'(dfi_reset_n), 32'(dfi_wrdata_en),
                      32'(dfi_rddata_en), takes_write_data, has_read_data, broken);
      if (takes_write_data) weir_dram_write(number, 512'(dfi_wrdata), 64'(dfi_wrdata_mask));
      if (has_read_data) begin
        weir_dram_read(number, line);
        dfi_rddata <= line[BURST_BEATS*DQ-1:0];
      end else if (dfi_rddata_valid[0]) begin
        dfi_rddata <= Idle;
      end
      dfi_rddata_valid <= {PHASES{has_read_data}};
      if (broken) begin
        violations <= weir_dram_violations(number);
        if (FATAL) $fatal(1, "DRAM '%s': protocol violation", NAME);
      end
    end
  end
  logic unused;
  assign unused = &{1'b0, dfi_act_n};

endmodule
