// SPDX-License-Identifier: Apache-2.0
// Numbers of outputs that differ by one thing each, over the same cycles of random signals. Prints `outputs NAME NUMBER` of
// each; test_outputs.py says which are to be the same.
module outputs_test;
  localparam int Ranks = 2, AddressPins = 14, Dq = 16, Phases = 2, BankBits = 3, Cycles = 200, At = 100;
  logic clock = 0, reset = 1;
  logic [31:0] cycle = 0;

  // random signals, by cycle
  function automatic logic [255:0] random(input logic [31:0] cycle, input int salt);
    logic [255:0] found;
    logic [63:0] state;
    state = {cycle, 32'(salt)} + 64'd1;
    for (int word = 0; word < 4; word++) begin
      state = (state ^ (state >> 29)) * 64'hbf58476d1ce4e5b9;
      state = (state ^ (state >> 32)) * 64'h94d049bb133111eb;
      found[64*word+:64] = state;
    end
    return found;
  endfunction

  wire at = cycle == At;
  wire [Phases*Ranks-1:0] cs_n = at ? 4'b1101 : random(cycle, 1);
  wire [Phases-1:0] wrdata_en = cycle == At - 1 ? 2'b01 : at ? 2'b00 : random(cycle, 2);
  wire [8*Dq-1:0] wrdata = random(cycle, 3);
  wire [Phases*AddressPins-1:0] address = random(cycle, 4);
  wire [Phases*Ranks-1:0] odt = random(cycle, 5);

  // phase 0 has a chip select at `At`, phase 1 none; write data stand a cycle after their enable
  `define DFI(name, addresses, odts, data, masks) \
  dfi_outputs #( \
      .RANKS(Ranks), .BANK_BITS(BankBits), .ADDRESS_PINS(AddressPins), .DQ(Dq), .PHASES(Phases), .WRITE_LATENCY(1), .NAME(`"name`") \
  ) name ( \
      .clock(clock), .reset(reset), .dfi_address(addresses), .dfi_bank(6'd5), .dfi_ras_n(2'd1), .dfi_cas_n(2'd2), .dfi_we_n(2'd3), \
      .dfi_act_n(2'd3), .dfi_reset_n(2'd3), .dfi_cs_n(cs_n), .dfi_cke(4'd15), .dfi_odt(odts), .dfi_wrdata(data), \
      .dfi_wrdata_mask(masks), .dfi_wrdata_en(wrdata_en), .dfi_rddata_en(2'd0) \
  );

  // While `wrdata_en` of the cycle before is not set, data are nothing.
  logic [Phases-1:0] last_en = 0;
  logic [Phases*Ranks-1:0] last_odt = 0;
  always_ff @(posedge clock) begin
    last_en  <= wrdata_en;
    last_odt <= odt;
  end
  wire idle = last_en == 0;

  `DFI(same, address, odt, wrdata, 16'd0)
  `DFI(again, address, odt, wrdata, 16'd0)
  `DFI(address_of_nobody, {address[27:14] ^ {13'd0, at}, address[13:0]}, odt, wrdata, 16'd0)
  `DFI(data_of_nobody, address, odt, wrdata ^ {8 * Dq{idle}}, {16{idle}})
  `DFI(address_bit, {address[27:14], address[13:0] ^ {at, 13'd0}}, odt, wrdata, 16'd0)
  `DFI(odt_late, address, (at ? last_odt : odt), wrdata, 16'd0)
  `DFI(data_bit, address, odt, wrdata ^ {at, 127'd0}, 16'd0)
  `DFI(mask_bit, address, odt, wrdata, {at, 15'd0})

  // two ports; at `At` the second has an R beat and no B
  wire valid[2] = '{1'b0, at};
  wire never[2] = '{1'b0, 1'b0};
  wire [3:0] id[2] = '{4'd3, 4'd9};
  wire [3:0] other_id[2] = '{4'd3 ^ {3'd0, at}, 4'd9};
  wire [1:0] okay[2] = '{2'd0, 2'd0};
  wire [31:0] data[2] = '{random(cycle, 6), random(cycle, 7)};
  wire [31:0] other_data[2] = '{random(cycle, 6), random(cycle, 7) ^ {at, 31'd0}};
  `define AXI(name, arreadys, bids, rdatas) \
  axi_outputs #(.DATA_BITS(32), .ID_BITS(4), .NAME(`"name`")) name ( \
      .clock(clock), .reset(reset), .awready(never), .wready(never), .bid(bids), .bresp(okay), .bvalid(never), .arready(arreadys), \
      .rid(id), .rdata(rdatas), .rresp(okay), .rlast(never), .rvalid(valid) \
  );
  `AXI(axi_same, never, id, data)
  `AXI(axi_id_of_nobody, never, other_id, data)
  `AXI(axi_data_bit, never, id, other_data)
  `AXI(axi_ready, valid, id, data)

  always #5 clock = !clock;
  always_ff @(posedge clock) begin
    reset <= cycle < 4;
    cycle <= cycle + 1;
    if (cycle == Cycles) $finish;
  end
endmodule
