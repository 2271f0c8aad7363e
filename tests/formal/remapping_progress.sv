// SPDX-License-Identifier: Apache-2.0
//
// RemapUnit never deadlocks: an access that has been taken in is sent within a bound, whatever else comes, misses, hits
// and is updated, where whoever is behind takes a line in every second cycle and returns what the tables are asked for,
// or accepts a bitmap's write, within two cycles. The caches' memories are left free, so that each lookup may find
// anything.
//
// Not locked: no line is locked by the window here, as a locked line waits for as long as whoever moves its page lets
// it. After an update what was looked up is looked up again, so cycles are counted from the last change of the window
// or of a page.

`default_nettype none

module remapping_progress (
    input clock
);
  reg  begun = 0;
  wire reset = !begun;
  always @(posedge clock) begun <= 1;

  // A way's own misses in both caches, and the other's before it: a bitmap's is judged, asked for, returned and filled in 17
  // cycles, a pointer's in 8; beside them lookups that wait, and the way out.
  localparam integer BOUND = 60;

  // ---- Accesses: anything; of reads no two under way have one tag
  (* anyseq *) wire read_wanted, write_wanted, read_slot;
  (* anyseq *) wire [16:0] read_line, write_line;
  wire reads_ready, writes_ready;
  reg [1:0] taken = 0;
  wire read_valid = !reset && read_wanted && !taken[read_slot];
  wire write_valid = !reset && write_wanted;
  wire read_comes = read_valid && reads_ready;
  wire write_comes = write_valid && writes_ready;

  // ---- What is sent: taken in every second cycle, or more often; `ready` follows `valid`, so that a path from there to `valid`
  // would be a loop, which Yosys refuses
  (* anyseq *) wire reads_taken, writes_taken;
  reg reads_waited = 0, writes_waited = 0;
  wire placed_read, placed_write;
  wire [1:0] placed_read_port, placed_write_port;
  wire placed_read_slot;
  wire read_goes = placed_read && (reads_taken || reads_waited);
  wire write_goes = placed_write && (writes_taken || writes_waited);
  wire demand_read = read_goes && placed_read_port == 0;
  wire demand_write = write_goes && placed_write_port == 0;

  // ---- Memory: what is fetched, and writes of bitmaps, are answered within two cycles; those two are never under way together
  // with a fetch of their own cache
  (* anyseq *) wire back, back_slot, accepts;
  (* anyseq *)wire [  1:0] back_port;
  // what is fetched may be anything; of all words alike, as no two are looked at
  (* anyseq *)wire [ 63:0] word;
  wire [511:0] back_data = {8{word}};
  reg [1:0] bitmap_under_way = 0, pointer_under_way = 0, accept_under_way = 0;
  wire bitmap_back = back && back_port == 2 && !back_slot;
  wire pointer_back = back && back_port == 2 && back_slot;
  reg [1:0] sent = 0;
  wire accepted = accept_under_way != 0 && accepts;
  always_comb begin
    contract_returns :
    assume (!back || !reset && (back_port == 0 ? sent[back_slot] :
        back_port == 2 && (back_slot ? pointer_under_way != 0 : bitmap_under_way != 0)));
    contract_bitmap : assume (bitmap_under_way < 3 || bitmap_back);
    contract_pointer : assume (pointer_under_way < 3 || pointer_back);
    contract_accepts : assume (accept_under_way < 2 || accepts);
  end
  always @(posedge clock) begin
    taken <= reset ? 0 :
        (taken | (read_comes ? 2'd1 << read_slot : 2'd0)) & ~(back && back_port == 0 ? 2'd1 << back_slot : 2'd0);
    sent <= reset ? 0 : (sent | (demand_read ? 2'd1 << placed_read_slot : 2'd0)) &
        ~(back && back_port == 0 ? 2'd1 << back_slot : 2'd0);
    reads_waited <= !reset && placed_read && !read_goes;
    writes_waited <= !reset && placed_write && !write_goes;
    bitmap_under_way <= reset || bitmap_back ? 0 : bitmap_under_way != 0 ? bitmap_under_way + 1 :
        read_goes && placed_read_port == 2 && !placed_read_slot;
    pointer_under_way <= reset || pointer_back ? 0 : pointer_under_way != 0 ? pointer_under_way + 1 :
        read_goes && placed_read_port == 2 && placed_read_slot;
    accept_under_way <= reset || accepted ? 0 : accept_under_way != 0 ? accept_under_way + 1 :
        write_goes && placed_write_port == 2;
  end

  // ---- Pages that move, without locks
  (* anyseq *) wire changes, next_active, to_dram, update, redirected;
  (* anyseq *) wire [10:0] next_moving, frame, update_page, update_frame;
  reg active = 0;
  reg [10:0] moving;
  always @(posedge clock)
    if (changes) begin
      active <= next_active;
      moving <= next_moving;
    end
  (* anyseq *) wire [6:0] done;
  wire updates_ready, updated;

  // ---- One access of each way is watched, from the cycle after it was taken until it is sent
  reg read_waits = 0, write_waits = 0;
  reg updating = 0;
  reg watched_slot;
  reg [6:0] read_waited = 0, write_waited = 0;
  (* anyseq *)wire chosen;
  wire read_sent = demand_read && placed_read_slot == watched_slot;
  wire update_valid = !reset && update;
  always @(posedge clock) begin
    // in order: a write that is taken in is the only one that waits
    write_waits <= !reset && (write_comes && !(demand_write && !write_waits) || write_waits && !demand_write);
    write_waited <= reset || !write_waits || demand_write || updating || changes ? 0 : write_waited + 1;
    read_waits <= !reset &&
        (read_waits ? !read_sent : chosen && read_comes && !(demand_read && placed_read_slot == read_slot));
    if (!read_waits) watched_slot <= read_slot;
    read_waited <= reset || !read_waits || updating || changes ? 0 : read_waited + 1;
    updating <= !reset && (updating ? !updated : update_valid && updates_ready);
  end

  wire busy;
  RemapUnit dut (
      .clock(clock),
      .reset(reset),
      .io_reads_ready(reads_ready),
      .io_reads_valid(read_valid),
      .io_reads_bits_line(read_line),
      .io_reads_bits_source(1'b0),
      .io_reads_bits_tag_slot(read_slot),
      .io_writes_ready(writes_ready),
      .io_writes_valid(write_valid),
      .io_writes_bits_line(write_line),
      .io_writes_bits_source(1'b0),
      .io_writes_bits_data(512'b0),
      .io_writes_bits_strobe(~64'b0),
      .io_placed_reads_ready(read_goes),
      .io_placed_reads_valid(placed_read),
      .io_placed_reads_bits_tag_port(placed_read_port),
      .io_placed_reads_bits_tag_slot(placed_read_slot),
      .io_placed_writes_ready(write_goes),
      .io_placed_writes_valid(placed_write),
      .io_placed_writes_bits_port(placed_write_port),
      .io_placed_returns_valid(back),
      .io_placed_returns_bits_tag_port(back_port),
      .io_placed_returns_bits_tag_slot(back_slot),
      .io_placed_returns_bits_data(back_data),
      .io_placed_returns_bits_lost(1'b0),
      .io_placed_accepted_valid(accepted),
      .io_placed_accepted_bits(2'd2),
      .io_move_window_active(active),
      .io_move_window_page(moving),
      .io_move_window_frame(frame),
      .io_move_window_toDram(to_dram),
      .io_move_window_done(done),
      .io_move_window_lockedUntil(done),
      .io_move_fence_valid(1'b0),
      .io_move_updates_ready(updates_ready),
      .io_move_updates_valid(update_valid),
      .io_move_updates_bits_page(update_page),
      .io_move_updates_bits_redirected(redirected),
      .io_move_updates_bits_frame(update_frame),
      .io_move_updated(updated),
      .io_move_frames_valid(1'b0),
      .io_move_memory_reads_valid(1'b0),
      .io_move_memory_writes_valid(1'b0),
      .io_remap_control_enable(1'b1),
      .io_remap_control_table(1'b0),
      .io_remap_control_bitmapBase(11'd0),
      .io_remap_control_pointerBase(11'd1024),
      .io_remap_control_frameBase(11'd512),
      .io_remap_control_frameCount(6'd32),
      .io_remap_busy(busy),
      .io_remap_frameStates_read(1'b0)
  );

  wire late = read_waits && read_waited >= BOUND || write_waits && write_waited >= BOUND;
  always @(posedge clock) if (!reset) within_bound : assert (!late);

`ifdef COVERS
  `include "covers.svh"
  // what is found at once, and lines that are all alike, are enough to find a way
  always_comb begin
    always_taken : assume (reads_taken && writes_taken && accepts);
    always_wanted : assume (read_wanted && write_wanted && chosen && !changes);
    back_at_once : assume (bitmap_under_way == 0 || bitmap_back);
    assume (bitmap_under_way != 0 || pointer_under_way == 0 || pointer_back);
    of_the_region : assume (read_line == 17'h1_0040 && write_line == 17'h1_0040);
    few_updates : assume (update_page == 11'h401 && update_frame == 512);
  end
  always @(posedge clock)
    if (!reset && whole) begin
      waits_for_both_fetches : cover (read_sent && read_waited > 24);
      updated_while_a_write_waits : cover (updating && updated && write_waits);
    end
`endif
endmodule
