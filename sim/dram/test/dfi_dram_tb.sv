// SPDX-License-Identifier: Apache-2.0
//
// dfi_dram.sv through DPI: two instances of different widths in one simulation write and read back, one honours the
// mask, data stands in its cycle only; the second then breaks tRCD and counts it, and has a fine refresh that takes a
// quarter of the time. The counts of the first are latched in between. With +break=1 the first, whose violations are
// fatal, breaks tRCD: the simulation must end with an error.
module dfi_dram_tb;
  localparam int Phases = 4;
  localparam int Pins = 14;
  localparam int ReadLatency = 9;
  localparam int WriteLatency = 1;

  logic clock;
  initial begin
    clock = 0;
    forever #2.5ns clock = !clock;
  end

  logic reset;
  logic [Phases * Pins - 1 : 0] address;
  logic [Phases * 3 - 1 : 0] bank;
  logic [Phases - 1 : 0] ras_n, cas_n, we_n, wrdata_en, rddata_en;
  logic [2 * Phases - 1 : 0] cs_n;
  logic [511 : 0] wrdata;
  logic [63 : 0] mask;
  logic [511 : 0] wide;
  logic [127 : 0] narrow;
  logic [Phases - 1 : 0] wide_valid, narrow_valid;
  logic [31 : 0] wide_violations, narrow_violations;
  // Keeps the commands from the instance whose violations are fatal.
  logic shielded;
  int   breaking;
  int   errors;

  dfi_dram #(
      .RANKS(2),
      .NAME ("wide")
  ) wide_dram (
      .clock,
      .reset,
      .dfi_address(address),
      .dfi_bank(bank),
      .dfi_ras_n(ras_n),
      .dfi_cas_n(cas_n),
      .dfi_we_n(we_n),
      .dfi_act_n('1),
      .dfi_reset_n('1),
      .dfi_cs_n(shielded ? '1 : cs_n),
      .dfi_cke('1),
      .dfi_odt('0),
      .dfi_wrdata(wrdata),
      .dfi_wrdata_mask(mask),
      .dfi_wrdata_en(shielded ? '0 : wrdata_en),
      .dfi_rddata_en(shielded ? '0 : rddata_en),
      .dfi_rddata(wide),
      .dfi_rddata_valid(wide_valid),
      .violations(wide_violations)
  );

  dfi_dram #(
      .PART("MT41K256M16-125"),
      .ROW_BITS(12),
      .DQ(16),
      .FATAL(0),
      .FEATURES("fine_refresh=4,on_the_fly,optimistic_trfc"),
      .NAME("narrow")
  ) narrow_dram (
      .clock,
      .reset,
      .dfi_address(address),
      .dfi_bank(bank),
      .dfi_ras_n(ras_n),
      .dfi_cas_n(cas_n),
      .dfi_we_n(we_n),
      .dfi_act_n('1),
      .dfi_reset_n('1),
      .dfi_cs_n({cs_n[6], cs_n[4], cs_n[2], cs_n[0]}),
      .dfi_cke('1),
      .dfi_odt('0),
      .dfi_wrdata(wrdata[127 : 0]),
      .dfi_wrdata_mask(mask[15 : 0]),
      .dfi_wrdata_en(wrdata_en),
      .dfi_rddata_en(rddata_en),
      .dfi_rddata(narrow),
      .dfi_rddata_valid(narrow_valid),
      .violations(narrow_violations)
  );

  logic latch, latch_next;
  always_ff @(posedge clock) latch <= latch_next;
  dfi_statistics #(
      .NAME("wide")
  ) wide_statistics (
      .clock,
      .latch
  );

  task automatic idle();
    address = '0;
    bank = '0;
    {ras_n, cas_n, we_n} = '1;
    cs_n = '1;
    wrdata_en = '0;
    rddata_en = '0;
    wrdata = {16{32'hdead_beef}};
    mask = '0;
  endtask

  // Stands a command in one phase of the next cycle, for rank 0.
  task automatic command(input int phase, input logic [2 : 0] ras_cas_we_n, input logic [2 : 0] bank_number,
                         input logic [Pins - 1 : 0] pins);
    @(negedge clock);
    idle();
    {ras_n[phase], cas_n[phase], we_n[phase]} = ras_cas_we_n;
    cs_n[2*phase] = 0;
    bank[3*phase+:3] = bank_number;
    address[Pins*phase+:Pins] = pins;
    wrdata_en[phase] = ras_cas_we_n == 3'b100;
    rddata_en[phase] = ras_cas_we_n == 3'b101;
  endtask

  task automatic wait_cycles(input int cycles);
    repeat (cycles) begin
      @(negedge clock);
      idle();
    end
  endtask

  task automatic write(input logic [Pins - 1 : 0] column, input logic [511 : 0] data, input logic [63 : 0] keep);
    command(0, 3'b100, 5, column);
    wait_cycles(WriteLatency);
    wrdata = data;
    mask   = keep;
  endtask

  task automatic read(input logic [Pins - 1 : 0] column, input logic [511 : 0] expected);
    command(1, 3'b101, 5, column);
    wait_cycles(ReadLatency - 1);
    check("no data one cycle early", {wide_valid, narrow_valid} == '0 && wide != expected);
    wait_cycles(1);
    check("data on its cycle", &wide_valid && &narrow_valid && wide == expected && narrow == expected[127 : 0]);
    wait_cycles(1);
    check("no data one cycle late", {wide_valid, narrow_valid} == '0 && wide != expected);
  endtask

  task automatic check(input string what, input bit good);
    if (!good) begin
      $display("FAILED: %s at %0t", what, $time);
      errors++;
    end
  endtask

  localparam logic [511 : 0] First = {8{64'h0123_4567_89ab_cdef}};
  localparam logic [511 : 0] Second = {8{64'hfeed_f00d_cafe_d00d}};
  localparam logic [511 : 0] Merged = {First[511 : 64], Second[63 : 8], First[7 : 0]};

  initial begin
    errors = 0;
    shielded = 0;
    latch_next = 0;
    reset = 1;
    idle();
    wait_cycles(3);
    reset = 0;
    command(2, 3'b011, 5, 'h123);
    wait_cycles(4);
    write(64, First, '0);
    wait_cycles(5);
    read(64, First);
    write(64, Second, 64'hffff_ffff_ffff_ff01);
    wait_cycles(5);
    read(64, Merged);
    check("no violation", wide_violations == 0 && narrow_violations == 0);

    if (!$value$plusargs("break=%d", breaking)) breaking = 0;
    shielded = breaking == 0;
    command(2, 3'b011, 6, 0);
    command(1, 3'b101, 6, 0);
    wait_cycles(2);
    check("tRCD broken once", wide_violations == 0 && narrow_violations == 1);
    latch_next = 1;
    wait_cycles(1);
    latch_next = 0;
    wait_cycles(7);

    // PREA, and tRP later a fine refresh of 65 ns, 13 cycles, and an activate.
    command(3, 3'b010, 0, 'h400);
    wait_cycles(20);
    command(3, 3'b001, 1, 0);
    wait_cycles(12);
    command(3, 3'b011, 0, 0);
    wait_cycles(2);
    $display("narrow: %0d violations", narrow_violations);
    check("a fine refresh takes its own time", narrow_violations == 1);
    if (!shielded) $display("FAILED: a fatal violation did not end the simulation");
    else if (errors != 0) $fatal(1, "%0d checks failed", errors);
    else $display("dfi_dram_tb: passed");
    $finish;
  end
endmodule
