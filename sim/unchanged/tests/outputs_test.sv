// SPDX-License-Identifier: Apache-2.0
// Numbers of outputs that differ by one thing each, over the same cycles of random signals. Prints `outputs NAME NUMBER` of
// each; test_outputs.py says which are to be the same.

// Signals of a cycle, other ones for each SALT.
module random_signals #(
    parameter int SALT = 0
) (
    input  logic [ 31:0] cycle,
    output logic [127:0] signals
);
  always_comb begin
    logic [63:0] state;
    state = {cycle, 32'(SALT)} + 64'd1;
    for (int word = 0; word < 2; word++) begin
      state = (state ^ (state >> 29)) * 64'hbf58476d1ce4e5b9;
      state = (state ^ (state >> 32)) * 64'h94d049bb133111eb;
      signals[64*word+:64] = state;
    end
  end
endmodule

// The DFI of two ranks in two phases, write data a cycle after their enable. In the cycle `at` phase 0 has a chip select
// and phase 1 none, and data that were enabled come. What differs: 1 the address of phase 1 then, 2 data and mask where
// none were enabled, 3 the address of phase 0 then, 4 ODT, which is that of the cycle before, 5 the data, 6 their mask.
module dfi_variant #(
    parameter string NAME    = "",
    parameter int    DIFFERS = 0
) (
    input logic        clock,
    input logic        reset,
    input logic [31:0] cycle,
    input logic        just_before,
    input logic        at
);
  logic [127:0] selects, enables, data, addresses, terminations;
  random_signals #(
      .SALT(1)
  ) of_selects (
      .signals(selects),
      .*
  );
  random_signals #(
      .SALT(2)
  ) of_enables (
      .signals(enables),
      .*
  );
  random_signals #(
      .SALT(3)
  ) of_data (
      .signals(data),
      .*
  );
  random_signals #(
      .SALT(4)
  ) of_addresses (
      .signals(addresses),
      .*
  );
  random_signals #(
      .SALT(5)
  ) of_terminations (
      .signals(terminations),
      .*
  );

  wire  [1:0] wrdata_en = just_before ? 2'b01 : at ? 2'b00 : enables[1:0];
  logic [1:0] last_en = 0;
  logic [3:0] last_odt = 0;
  always_ff @(posedge clock) begin
    last_en  <= wrdata_en;
    last_odt <= terminations[3:0];
  end
  wire idle = DIFFERS == 2 && last_en == 0;
  wire [27:0] flipped = {13'd0, DIFFERS == 1 && at, DIFFERS == 3 && at, 13'd0};

  dfi_outputs #(
      .RANKS(2),
      .BANK_BITS(3),
      .ADDRESS_PINS(14),
      .DQ(16),
      .PHASES(2),
      .WRITE_LATENCY(1),
      .NAME(NAME)
  ) driven (
      .clock(clock),
      .reset(reset),
      .dfi_address(addresses[27:0] ^ flipped),
      .dfi_bank(6'd5),
      .dfi_ras_n(2'd1),
      .dfi_cas_n(2'd2),
      .dfi_we_n(2'd3),
      .dfi_act_n(2'd3),
      .dfi_reset_n(2'd3),
      .dfi_cs_n(at ? 4'b1101 : selects[3:0]),
      .dfi_cke(4'd15),
      .dfi_odt(DIFFERS == 4 && at ? last_odt : terminations[3:0]),
      .dfi_wrdata(data ^ {128{idle}} ^ {DIFFERS == 5 && at, 127'd0}),
      .dfi_wrdata_mask({16{idle}} ^ {DIFFERS == 6 && at, 15'd0}),
      .dfi_wrdata_en(wrdata_en),
      .dfi_rddata_en(2'd0)
  );
endmodule

// Two AXI4 ports. In the cycle `at` the second has an R beat, and neither has a B. What differs then: 1 the id of a B,
// 2 the data of the R beat, 3 ARREADY.
module axi_variant #(
    parameter string NAME    = "",
    parameter int    DIFFERS = 0
) (
    input logic        clock,
    input logic        reset,
    input logic [31:0] cycle,
    input logic        at
);
  logic [127:0] data;
  random_signals #(
      .SALT(6)
  ) of_data (
      .signals(data),
      .*
  );
  logic never[2], valid[2], arready[2];
  logic [1:0] okay[2];
  logic [3:0] bid[2], rid[2];
  logic [31:0] rdata[2];
  always_comb begin
    never[0] = 0;
    never[1] = 0;
    valid[0] = 0;
    valid[1] = at;
    arready[0] = 0;
    arready[1] = DIFFERS == 3 && at;
    okay[0] = 0;
    okay[1] = 0;
    bid[0] = {3'd1, DIFFERS == 1 && at};
    bid[1] = 9;
    rid[0] = 3;
    rid[1] = 9;
    rdata[0] = data[31:0];
    rdata[1] = data[63:32] ^ {DIFFERS == 2 && at, 31'd0};
  end
  axi_outputs #(
      .DATA_BITS(32),
      .ID_BITS(4),
      .NAME(NAME)
  ) driven (
      .clock(clock),
      .reset(reset),
      .awready(never),
      .wready(never),
      .bid(bid),
      .bresp(okay),
      .bvalid(never),
      .arready(arready),
      .rid(rid),
      .rdata(rdata),
      .rresp(okay),
      .rlast(never),
      .rvalid(valid)
  );
endmodule

module outputs_test;
  localparam int Cycles = 200;
  logic clock = 0, reset = 1;
  logic [31:0] cycle = 0;
  wire just_before = cycle == 99, at = cycle == 100;

  dfi_variant #(.NAME("same")) same (.*);
  dfi_variant #(.NAME("again")) again (.*);
  dfi_variant #(
      .NAME("address_of_nobody"),
      .DIFFERS(1)
  ) address_of_nobody (
      .*
  );
  dfi_variant #(
      .NAME("data_of_nobody"),
      .DIFFERS(2)
  ) data_of_nobody (
      .*
  );
  dfi_variant #(
      .NAME("address_bit"),
      .DIFFERS(3)
  ) address_bit (
      .*
  );
  dfi_variant #(
      .NAME("odt_late"),
      .DIFFERS(4)
  ) odt_late (
      .*
  );
  dfi_variant #(
      .NAME("data_bit"),
      .DIFFERS(5)
  ) data_bit (
      .*
  );
  dfi_variant #(
      .NAME("mask_bit"),
      .DIFFERS(6)
  ) mask_bit (
      .*
  );
  axi_variant #(.NAME("axi_same")) axi_same (.*);
  axi_variant #(
      .NAME("axi_id_of_nobody"),
      .DIFFERS(1)
  ) axi_id_of_nobody (
      .*
  );
  axi_variant #(
      .NAME("axi_data_bit"),
      .DIFFERS(2)
  ) axi_data_bit (
      .*
  );
  axi_variant #(
      .NAME("axi_ready"),
      .DIFFERS(3)
  ) axi_ready (
      .*
  );

  always #5 clock = !clock;
  always_ff @(posedge clock) begin
    reset <= cycle < 4;
    cycle <= cycle + 1;
    if (cycle == Cycles) $finish;
  end
endmodule
