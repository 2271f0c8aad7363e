// SPDX-License-Identifier: Apache-2.0
//
// A rank is refreshed in time: JEDEC lets a refresh be postponed as long as no two are more than nine tREFI apart, that is one
// more than may be postponed. Here two may, so that a bounded proof sees several: no two refreshes of a rank on the DFI, nor
// reset and the first, are more than three tREFI apart, whatever the queues want.

`default_nettype none

module refresh (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  localparam integer PHASES = 4;
  localparam integer RANKS = 2;
  localparam integer TREFI = 72;
  localparam integer POSTPONED = 2;
  localparam integer LONGEST = (POSTPONED + 1) * TREFI;  // clocks

  wire [PHASES*RANKS-1:0] cs_n;
  wire [PHASES-1:0] ras_n, cas_n, we_n;
  Weir weir (
      .clock(clock),
      .reset(reset),
      .s_axil_awvalid(1'b0),
      .s_axil_wvalid(1'b0),
      .s_axil_arvalid(1'b0),
      .s_axil_bready(1'b1),
      .s_axil_rready(1'b1),
      .dfi_phymstr_req(1'b0),
      .dfi_cs_n(cs_n),
      .dfi_ras_n(ras_n),
      .dfi_cas_n(cas_n),
      .dfi_we_n(we_n)
  );

  wire [RANKS-1:0] refreshed, too_late, postponed;
  genvar r, p;
  generate
    for (r = 0; r < RANKS; r = r + 1) begin : g_of_rank
      wire [PHASES-1:0] refreshes;
      for (p = 0; p < PHASES; p = p + 1) assign refreshes[p] = !cs_n[p*RANKS+r] && !ras_n[p] && !cas_n[p] && we_n[p];
      assign refreshed[r] = |refreshes;
      // clocks since the cycle of the last refresh
      reg [8:0] since = 0;
      always @(posedge clock) since <= reset || refreshed[r] ? 0 : since < 2 * LONGEST ? since + PHASES : since;
      assign too_late[r]  = since > LONGEST;
      assign postponed[r] = refreshed[r] && since > POSTPONED * TREFI;
    end
  endgenerate
  wire late = |too_late;
  always @(posedge clock) if (!reset) in_time : assert (!late);

`ifdef COVERS
  `include "covers.svh"
  always @(posedge clock) if (!reset && whole) postponed_twice : cover (|postponed);
`endif
endmodule
