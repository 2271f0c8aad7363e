// SPDX-License-Identifier: Apache-2.0
// ROM of words of DATA_BITS, little-endian, read from the binary file that the plusarg +rom=FILE names when simulation
// starts, so that another BIOS needs no other model. A file that is empty or does not fit ends the simulation.
module boot_rom #(
    parameter integer DATA_BITS = 64,
    parameter integer WORDS = 8192
) (
    input  logic                              clock,
    input  logic [32-$clog2(DATA_BITS/8)-1:0] address,      // in words
    input  logic                              strobe,
    output logic                              acknowledge,  // one cycle after strobe, with data
    output logic [             DATA_BITS-1:0] data
);
  logic [DATA_BITS-1:0] words[WORDS];

  initial begin
    string path;
    int file;
    if ($value$plusargs("rom=%s", path)) begin
      file = $fopen(path, "rb");
      if (file == 0) $fatal(1, "boot_rom: cannot read '%s'", path);
      if ($fread(words, file) <= 0) $fatal(1, "boot_rom: '%s' is empty", path);
      if ($fgetc(file) != -1) $fatal(1, "boot_rom: '%s' is larger than %0d bytes", path, WORDS * DATA_BITS / 8);
      $fclose(file);
    end
  end

  always_ff @(posedge clock) begin
    acknowledge <= strobe & ~acknowledge;
    // $fread puts the first byte of the file into the highest byte of a word.
    data <= {<<8{words[address[$clog2(WORDS)-1:0]]}};
  end
endmodule
