// SPDX-License-Identifier: Apache-2.0
//
// ReadBuffer: the beats of an id come in the order in which its blocks were opened, each once, with the data of its own lines,
// whenever lines return and however the bus stalls; the beats of a burst come together. Bursts have one block or two here,
// blocks one line and one beat.

`default_nettype none

module read_buffer (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  (* anyseq *) wire opens_it, id_of, last_of, returns_it, lost, beats_ready, watch;
  (* anyseq *)wire [ 1:0] returned;
  (* anyseq *)wire [63:0] data;
  wire free, hold, beats_valid, beat_id, beat_last;
  wire [1:0] slot, beat_response;
  wire [63:0] beat_data;

  // ---- The contract: blocks of a burst follow one another; a line returns once, at the earliest two cycles after its slot
  // was opened.
  reg going_on = 0, burst_id;
  wire opened = !reset && opens_it && free && !hold;
  wire id = going_on ? burst_id : id_of;
  wire last = going_on || last_of;
  reg [3:0] just_opened = 0, awaited = 0;
  wire [3:0] back = returns_it ? 4'd1 << returned : 4'b0;
  always_comb contract_returns : assume (!(back & ~awaited));
  always @(posedge clock) begin
    going_on <= !reset && (opened ? !last : going_on);
    if (opened) burst_id <= id;
    just_opened <= opened ? 4'd1 << slot : 4'b0;
    awaited <= reset ? 0 : awaited & ~back | just_opened;
  end

  ReadBuffer dut (
      .clock(clock),
      .reset(reset),
      .io_free_ready(opened),
      .io_free_valid(free),
      .io_free_bits(slot),
      .io_hold(hold),
      .io_opened_valid(opened),
      .io_opened_bits_slot(slot),
      .io_opened_bits_access_id(id),
      .io_opened_bits_access_run_start(3'd0),
      .io_opened_bits_access_run_size(3'd3),
      .io_opened_bits_access_run_mask(3'd7),
      .io_opened_bits_access_run_more(8'd0),
      .io_opened_bits_access_first(!going_on),
      .io_opened_bits_access_last(last),
      .io_opened_bits_access_response(2'd0),
      .io_returns_valid(returns_it),
      .io_returns_bits_tag_slot(returned),
      .io_returns_bits_data(data),
      .io_returns_bits_lost(lost),
      .io_beats_ready(beats_ready),
      .io_beats_valid(beats_valid),
      .io_beats_bits_id(beat_id),
      .io_beats_bits_data(beat_data),
      .io_beats_bits_response(beat_response),
      .io_beats_bits_last(beat_last)
  );

  // ---- One block is watched, any one: how many beats of its id are before its own, and what came back for it.
  wire beat = beats_valid && beats_ready;
  reg [2:0] owed_0 = 0, owed_1 = 0, ahead;
  reg watched = 0, watched_id, watched_last;
  reg [1:0] watched_slot;
  reg has_data, watched_lost;
  reg [63:0] watched_data;
  wire beat_of_it = watched && beat && beat_id == watched_id && ahead == 0;
  wire [2:0] owed = id ? owed_1 : owed_0;
  always @(posedge clock) begin
    owed_0  <= reset ? 0 : owed_0 + (opened && !id) - (beat && !beat_id);
    owed_1  <= reset ? 0 : owed_1 + (opened && id) - (beat && beat_id);
    watched <= !reset && (watched ? !beat_of_it : opened && watch);
    if (!watched) begin
      watched_id <= id;
      watched_last <= last;
      watched_slot <= slot;
      ahead <= owed - (beat && beat_id == id);
    end else if (beat && beat_id == watched_id) ahead <= ahead - 1;
    has_data <= watched && (has_data || returns_it && returned == watched_slot);
    if (watched && returns_it && returned == watched_slot) begin
      watched_data <= data;
      watched_lost <= lost;
    end
  end
  reg in_burst = 0, beat_before;
  always @(posedge clock) begin
    in_burst <= !reset && (beat ? !beat_last : in_burst);
    if (beat) beat_before <= beat_id;
  end

  wire unasked = beat && (beat_id ? owed_1 == 0 : owed_0 == 0);
  wire right_response = beat_response == {watched_lost, 1'b0};
  wire same = has_data && beat_data == watched_data && beat_last == watched_last && right_response;
  wire wrong = beat_of_it && !same;
  wire mixed = beat && in_burst && beat_id != beat_before;
  always @(posedge clock)
    if (!reset) begin
      none_unasked : assert (!unasked);
      in_order_with_its_data : assert (!wrong);
      bursts_apart : assert (!mixed);
    end

`ifdef COVERS
  `include "covers.svh"
  wire violated = unasked || wrong || mixed;
  reg  other_passed = 0;
  always @(posedge clock) begin
    other_passed <= watched && (other_passed || beat && beat_id != watched_id);
    if (!reset && whole) begin
      passed_by_another_id : cover (beat_of_it && other_passed);
      waits_for_its_turn : cover (has_data && ahead == 2);
    end
  end
`endif
endmodule
