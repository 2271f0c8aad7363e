// SPDX-License-Identifier: Apache-2.0
//
// Tells the recount of observe_all.sv what commands are on the DFI of channel CHANNEL; signals as those of dfi_dram.sv.
// Clock domain: `clock`.
module observe_channel #(
    parameter int CHANNEL      = 0,
    parameter int RANKS        = 1,
    parameter int BANK_BITS    = 3,
    parameter int ADDRESS_PINS = 14,
    parameter int PHASES       = 4
) (
    input logic                           clock,
    input logic                           watch,
    input logic [PHASES*ADDRESS_PINS-1:0] dfi_address,
    input logic [   PHASES*BANK_BITS-1:0] dfi_bank,
    input logic [             PHASES-1:0] dfi_ras_n,
    input logic [             PHASES-1:0] dfi_cas_n,
    input logic [             PHASES-1:0] dfi_we_n,
    input logic [       PHASES*RANKS-1:0] dfi_cs_n
);
  import "DPI-C" function bit weir_observe_command(
    input int channel,
    input int rank,
    input int phase,
    input int kind,
    input int bank,
    input int address
  );

  always_ff @(posedge clock)
    if (watch && !(&dfi_cs_n)) begin
      automatic bit good = 1;
      for (int p = 0; p < PHASES; p++)
      for (int r = 0; r < RANKS; r++)
      if (!dfi_cs_n[p*RANKS+r])
        good &= weir_observe_command(
            CHANNEL,
            r,
            p,
            int'({
              dfi_ras_n[p], dfi_cas_n[p], dfi_we_n[p]
            }),
            int'(dfi_bank[p*BANK_BITS+:BANK_BITS]),
            int'(dfi_address[p*ADDRESS_PINS+:ADDRESS_PINS])
        );
      if (!good) $fatal(1, "observe_channel: channel %0d is not understood", CHANNEL);
    end
endmodule
