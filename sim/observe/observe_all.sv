// SPDX-License-Identifier: Apache-2.0
//
// Recounts what Weir's counters should say, from outside (observation.hpp). This module begins the count and moves it on
// from cycle to cycle; observe_port.sv and observe_channel.sv, one for each port and channel, say what happens. In each
// cycle with `latch` high all counts up to the end of that cycle are written to the file of +observation, a line of JSON.
//
// PSEUDO_RANKS groups of the banks of a rank count as ranks; REFRESH_GROUPS of them refresh apart, in whose refreshes and
// precharges of all banks the upper bits of the bank name the group.
//
// Nothing is watched without `watch`, which must be high from reset on and stay so.
//
// Clock domain: `clock`, the controller's; signals are looked at on its rising edge, and a cycle ends on the falling edge.
module observe_all #(
    parameter string  PART           = "MT41J128M8JP-125",
    parameter int     TCK_PS         = 1250,
    parameter int     CHANNELS       = 1,
    parameter int     RANKS          = 1,
    parameter int     PSEUDO_RANKS   = 1,
    parameter int     REFRESH_GROUPS = 1,
    parameter int     BANK_BITS      = 3,
    parameter int     ROW_BITS       = 14,
    parameter int     COLUMN_BITS    = 10,
    parameter int     DQ             = 64,
    parameter int     BURST_BEATS    = 8,
    parameter int     PHASES         = 4,
    parameter int     PORTS          = 1,
    parameter int     ID_BITS        = 4,
    parameter int     SOURCE_ID_HIGH = 0,
    parameter int     SOURCE_ID_LOW  = 0,
    parameter longint BASE           = 0
) (
    input logic clock,
    input logic watch,
    input logic latch
);
  import "DPI-C" function bit weir_observe_begin(
    input string part,
    input int clock_ps,
    input int channels,
    input int ranks,
    input int pseudo_ranks,
    input int refresh_groups,
    input int bank_bits,
    input int row_bits,
    input int column_bits,
    input int dq,
    input int burst_beats,
    input int phases,
    input int ports,
    input int id_bits,
    input int source_id_high,
    input int source_id_low,
    input longint base
  );
  import "DPI-C" function bit weir_observe_clock(
    input bit latch,
    input string path
  );

  string path;
  initial begin
    if (!$value$plusargs("observation=%s", path)) path = "observation.json";
    if (!weir_observe_begin(
            PART,
            TCK_PS,
            CHANNELS,
            RANKS,
            PSEUDO_RANKS,
            REFRESH_GROUPS,
            BANK_BITS,
            ROW_BITS,
            COLUMN_BITS,
            DQ,
            BURST_BEATS,
            PHASES,
            PORTS,
            ID_BITS,
            SOURCE_ID_HIGH,
            SOURCE_ID_LOW,
            BASE
        ))
      $fatal(1, "observe_all: bad parameters");
  end

  always_ff @(negedge clock)
    if (watch && !weir_observe_clock(latch, path))
      $fatal(1, "observe_all: the count cannot go on");
endmodule
