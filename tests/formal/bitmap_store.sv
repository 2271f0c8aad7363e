// SPDX-License-Identifier: Apache-2.0
//
// Stands for the memory of BitmapCache (TaggedStore) in a proof about one bit of it: it may have lost that bit at any lookup, but
// where it has it, it is as it was last put. All other bits may be anything. What TaggedStore wants of its lookups, so that this
// is so, is asserted.

`default_nettype none

module bitmap_store (
    input clock,
    io_lookup_valid,
    input [1:0] io_lookup_bits_key,
    input [2:0] io_lookup_bits_word,
    output io_hit,
    output [63:0] io_data,
    output io_found_0,
    io_found_1,
    output [63:0] io_words_0,
    io_words_1,
    input io_keep,
    io_put_valid,
    input [2:0] io_put_bits_word,
    input [63:0] io_put_bits_data,
    input io_install,
    io_sweep_valid,
    io_sweep_bits
);
  // Which bit: of which page, and what it is at first; the top of the proof says that. It may be there from the first sweep on,
  // as if it had been looked up before, so that a bounded proof comes further.
  (* anyconst *) wire [10:0] page;
  (* anyconst *) wire first;
  (* anyconst *) wire warm;
  wire [1:0] its_key = page[10:9];
  wire [2:0] its_word = page[8:6];

  (* anyseq *) wire lost;
  (* anyseq *) wire hits;
  (* anyseq *) wire [63:0] data;
  reg has, kept_bit, had, was;
  reg begun = 0;
  reg [1:0] key, kept_key;
  reg [2:0] word;
  assign io_hit  = key == its_key ? had && !lost : hits;
  assign io_data = data;
  // it is in either of two ways, and the other's word may be anything
  (* anyseq *) wire in_second;
  (* anyseq *) wire [63:0] other;
  assign io_found_0 = io_hit && !in_second;
  assign io_found_1 = io_hit && in_second;
  assign io_words_0 = in_second ? other : data;
  assign io_words_1 = in_second ? data : other;
  always_comb contract_bit : assume (!(io_hit && key == its_key && word == its_word) || data[page[5:0]] == was);
  always @(posedge clock) begin
    if (io_lookup_valid) begin
      key  <= io_lookup_bits_key;
      word <= io_lookup_bits_word;
      had  <= has;
      was  <= kept_bit;
    end
    if (io_keep) kept_key <= key;
    if (io_sweep_valid) kept_bit <= first;
    else if (io_put_valid && kept_key == its_key && io_put_bits_word == its_word)
      kept_bit <= io_put_bits_data[page[5:0]];
    if (io_sweep_valid && io_sweep_bits == its_key[0]) has <= warm;
    else if (io_install && kept_key == its_key) has <= 1;
    begun <= begun || io_sweep_valid;
    no_lookup_while_put : assert (!(begun && io_lookup_valid && io_put_valid && io_lookup_bits_key[0] == kept_key[0]));
  end
endmodule
