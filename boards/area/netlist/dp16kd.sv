// SPDX-License-Identifier: Apache-2.0
// DP16KD, the ECP5's block RAM, for simulation: Yosys's models declare it and leave it empty. As 512 words of 36 bits, written
// through port A and read through port B, without output registers (Lattice FPGA-TN-02204, "Pseudo Dual Port RAM"). What
// is read in the clock in which it is written is undefined there; here it comes out inverted, so that nobody can rely on
// it. Any other use ends simulation.
//
// Bits 17:0 of a word are DIA and DOA, bits 35:18 DIB and DOB; ADA3 to ADA0 enable the write of 9 bits each.
// verilog_lint: waive-start line-length (rows of pins)
// verilog_lint: waive-start module-filename (Lattice writes it in capitals)
// verilog_lint: waive-start explicit-parameter-storage-type
module DP16KD #(
    // verilog_format: off
    parameter integer DATA_WIDTH_A = 18,
    parameter integer DATA_WIDTH_B = 18,
    parameter string REGMODE_A = "NOREG",
    parameter string REGMODE_B = "NOREG",
    parameter string RESETMODE = "SYNC",
    parameter string ASYNC_RESET_RELEASE = "SYNC",
    parameter string CSDECODE_A = "0b000",
    parameter string CSDECODE_B = "0b000",
    parameter string WRITEMODE_A = "NORMAL",
    parameter string WRITEMODE_B = "NORMAL",
    parameter string CLKAMUX = "CLKA",
    parameter string CLKBMUX = "CLKB",
    parameter string GSR = "ENABLED",
    parameter logic [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0,
    parameter logic [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0,
    parameter logic [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0, INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    parameter logic [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0,
    parameter logic [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
    parameter logic [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    parameter logic [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
    parameter logic [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0, INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0
) (
    input wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
    input wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
    output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
    input wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    input wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
    output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
    // verilog_format: on
);
  // verilog_format: off
  wire [8:0] write_address = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5};
  wire [8:0] read_address = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5};
  wire [3:0] enable = {ADA3, ADA2, ADA1, ADA0};
  wire [35:0] write_data = {{DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0},
                            {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0}};
  // verilog_format: on
  wire writes = CEA && WEA && {CSA2, CSA1, CSA0} == 0;
  wire reads = CEB && OCEB && {CSB2, CSB1, CSB0} == 0;

  logic [35:0] words[512];
  logic [35:0] read_data;

  initial begin
    if (DATA_WIDTH_A != 36 || DATA_WIDTH_B != 36 || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000")
      $fatal(
          1,
          "DP16KD: only 36 bits without output registers are modelled, not %0d and %0d, %s, selected by %s and %s",
          DATA_WIDTH_A,
          DATA_WIDTH_B,
          REGMODE_B,
          CSDECODE_A,
          CSDECODE_B
      );
    if ({INITVAL_00, INITVAL_01, INITVAL_02, INITVAL_03, INITVAL_04, INITVAL_05, INITVAL_06, INITVAL_07, INITVAL_08, INITVAL_09, INITVAL_0A, INITVAL_0B, INITVAL_0C, INITVAL_0D, INITVAL_0E, INITVAL_0F, INITVAL_10, INITVAL_11, INITVAL_12, INITVAL_13, INITVAL_14, INITVAL_15, INITVAL_16, INITVAL_17, INITVAL_18, INITVAL_19, INITVAL_1A, INITVAL_1B, INITVAL_1C, INITVAL_1D, INITVAL_1E, INITVAL_1F, INITVAL_20, INITVAL_21, INITVAL_22, INITVAL_23, INITVAL_24, INITVAL_25, INITVAL_26, INITVAL_27, INITVAL_28, INITVAL_29, INITVAL_2A, INITVAL_2B, INITVAL_2C, INITVAL_2D, INITVAL_2E, INITVAL_2F, INITVAL_30, INITVAL_31, INITVAL_32, INITVAL_33, INITVAL_34, INITVAL_35, INITVAL_36, INITVAL_37, INITVAL_38, INITVAL_39, INITVAL_3A, INITVAL_3B, INITVAL_3C, INITVAL_3D, INITVAL_3E, INITVAL_3F} != 0)
      $fatal(1, "DP16KD: contents to begin with are not modelled");
    foreach (words[word]) words[word] = 0;
    read_data = 0;
  end

  always @(posedge CLKA)
    if (writes)
      for (int part = 0; part < 4; part++) if (enable[part]) words[write_address][9*part+:9] <= write_data[9*part+:9];

  always @(posedge CLKB)
    if (RSTB) read_data <= 0;
    else if (reads) begin
      read_data <= words[read_address];
      if (writes && write_address == read_address)
        for (int part = 0; part < 4; part++) if (enable[part]) read_data[9*part+:9] <= ~words[read_address][9*part+:9];
      if (WEB) $fatal(1, "DP16KD: writes through port B are not modelled");
    end

  // verilog_format: off
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = read_data[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = read_data[35:18];
  // verilog_format: on
endmodule
// verilog_lint: waive-stop explicit-parameter-storage-type
// verilog_lint: waive-stop line-length
