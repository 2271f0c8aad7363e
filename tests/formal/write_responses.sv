// SPDX-License-Identifier: Apache-2.0
//
// WriteResponses: bursts are answered in their order, each once, with its own id and response, and none before all of its
// lines have been accepted.

`default_nettype none

module write_responses (
    input clock
);
  wire reset;
  reset_first start (
      .clock(clock),
      .reset(reset)
  );

  (* anyseq *) wire owed_valid, id, line, last, accepts, responses_ready, watch;
  (* anyseq *) wire [1:0] response;
  wire owed_ready, response_valid, response_id;
  wire [1:0] response_of;
  WriteResponses dut (
      .clock(clock),
      .reset(reset),
      .io_owed_ready(owed_ready),
      .io_owed_valid(owed_valid),
      .io_owed_bits_id(id),
      .io_owed_bits_response(response),
      .io_owed_bits_line(line),
      .io_owed_bits_last(last),
      .io_accepted(accepts),
      .io_responses_ready(responses_ready),
      .io_responses_valid(response_valid),
      .io_responses_bits_id(response_id),
      .io_responses_bits_response(response_of)
  );
  wire owed = !reset && owed_valid && owed_ready;
  wire answered = response_valid && responses_ready;

  // Lines sent and not accepted, bursts sent and not answered. Lines are accepted after they were sent.
  reg [4:0] lines = 0, bursts = 0;
  always_comb contract_accepted : assume (!accepts || !reset && lines != 0);
  always @(posedge clock) begin
    lines  <= reset ? 0 : lines + (owed && line) - accepts;
    bursts <= reset ? 0 : bursts + (owed && last) - answered;
  end

  // One burst is watched, any one: the bursts and the lines before its answer.
  reg watched = 0, watched_id;
  reg [1:0] watched_response;
  reg [4:0] ahead, lines_ahead;
  wire its_answer = watched && answered && ahead == 0;
  always @(posedge clock) begin
    watched <= !reset && (watched ? !its_answer : owed && last && watch);
    if (!watched) begin
      watched_id <= id;
      watched_response <= response;
      ahead <= bursts - answered;
      lines_ahead <= lines + line - accepts;
    end else begin
      if (answered) ahead <= ahead - 1;
      if (accepts && lines_ahead != 0) lines_ahead <= lines_ahead - 1;
    end
  end

  wire unasked = answered && bursts == 0;
  wire wrong = its_answer && (response_id != watched_id || response_of != watched_response);
  wire early = its_answer && lines_ahead != 0;
  always @(posedge clock)
    if (!reset) begin
      none_unasked : assert (!unasked);
      in_order : assert (!wrong);
      not_early : assert (!early);
    end

`ifdef COVERS
  `include "covers.svh"
  reg waited = 0;
  always @(posedge clock) begin
    waited <= watched && (waited || ahead == 3 && lines_ahead == 4);
    if (!reset && whole) fourth_burst_answered : cover (its_answer && waited);
  end
`endif
endmodule
