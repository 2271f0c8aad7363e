// SPDX-License-Identifier: Apache-2.0
// Reports every address handshake of an AXI4 bus to the simulator, which writes them down on request (--axi-log).
module axi_log #(
    parameter integer ID_BITS = 4
) (
    input logic               clock,
    input logic               ar_handshake,
    input logic [ID_BITS-1:0] ar_id,
    input logic [       31:0] ar_addr,
    input logic [        7:0] ar_len,
    input logic               aw_handshake,
    input logic [ID_BITS-1:0] aw_id,
    input logic [       31:0] aw_addr,
    input logic [        7:0] aw_len
);
  import "DPI-C" function void axi_log_write(
    input bit is_write,
    input int id,
    input int address,
    input int beats
  );

  always_ff @(posedge clock) begin
    if (ar_handshake) axi_log_write(0, 32'(ar_id), ar_addr, 32'(ar_len) + 1);
    if (aw_handshake) axi_log_write(1, 32'(aw_id), aw_addr, 32'(aw_len) + 1);
  end
endmodule
