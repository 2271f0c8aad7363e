// SPDX-License-Identifier: Apache-2.0
//
// RemapUnit: at any time a line of a page has one home. An access to it is sent to the place that the window says while
// its page moves, else to the one that the page's bit and pointer say, and none is sent, or under way, while the line
// is locked and fenced. So none sees, or writes, an old copy: whoever moves the page copies the line between the fence
// and `done`.
//
// One line of one page of the region is watched, a certain one, as the solver needs constant shifts. Memory holds that
// page's bit and pointer; of all else that it holds, reads may return anything. Left free: FrameStates, which no access
// looks at; and of the memory of BitmapCache all other bits.

`default_nettype none

module remapping (
    input clock
);
  reg  begun = 0;
  wire reset = !begun;
  always @(posedge clock) begun <= 1;

  // A line's number is 17 bits: rank, superpage of the rank, page of 9 bits, line of 6 bits. The region is rank 1.
  localparam integer FRAMES = 32;
  (* anyconst *) wire [16:0] watched;
  (* anyconst *) wire table_mode;
  (* anyconst *) wire [10:0] bitmap_base, pointer_base, frame_base;
  (* anyconst *) wire bit_first;
  (* anyconst *) wire [10:0] frame_first;
  wire [10:0] page = watched[16:6];
  (* hierconn *) wire [10:0] \dut.bitmaps.store.page ;
  (* hierconn *) wire \dut.bitmaps.store.first ;
  always_comb begin
    the_bit : assume (\dut.bitmaps.store.page == page);
    its_first : assume (\dut.bitmaps.store.first == bit_first);
  end
  function automatic is_frame(input logic [10:0] number);
    is_frame = number >= frame_base && {1'b0, number} < {1'b0, frame_base} + FRAMES;
  endfunction
  // Where the page's bit stands (a line for each superpage of the region), and its pointer (eight in a line; 1024 pages in 2
  // pages of table).
  wire [16:0] bitmap_line = {bitmap_base, 5'b0, page[9]};
  wire [16:0] pointer_line = table_mode ? {pointer_base, 6'b0} + {10'b0, page[9:3]} : {page, 6'b0};
  wire [ 2:0] pointer_at = table_mode ? page[2:0] : 3'b0;
  always_comb begin
    contract_region : assume (page[10]);
    contract_line : assume (watched == {2'b11, 9'd357, 6'd37});
    contract_bases : assume (bitmap_base == 11'd37 && pointer_base == 11'd1040 && frame_base == 11'd71);
    contract_bitmap : assume (!bitmap_base[10] && !is_frame(bitmap_base));
    contract_pointers : assume (pointer_base[10] && pointer_base != 11'h7ff);
    contract_not_the_table : assume (!table_mode || page != pointer_base && page != pointer_base + 1);
    contract_frames : assume (frame_base <= 1024 - FRAMES);
    contract_first : assume (is_frame(frame_first));
  end

  // ---- Accesses: of reads no two under way have one tag; a write's data names the line that it is for
  (* anyseq *) wire read_wanted, write_wanted, read_slot;
  (* anyseq *) wire [16:0] read_line, write_line;
  wire reads_ready, writes_ready;
  reg [1:0] taken = 0, sent = 0;
  reg [16:0] line_0, line_1;
  wire read_valid = !reset && read_wanted && !taken[read_slot];
  wire write_valid = !reset && write_wanted;
  wire read_comes = read_valid && reads_ready;

  // ---- What is sent; `ready` follows `valid`, so that a path from there to `valid` would be a loop, which Yosys refuses
  (* anyseq *) wire reads_taken, writes_taken;
  wire placed_read, placed_write;
  wire [16:0] placed_read_line, placed_write_line;
  wire [1:0] placed_read_port, placed_write_port;
  wire placed_read_slot;
  wire [511:0] placed_data;
  wire [63:0] placed_strobe;
  reg [1:0] writes_under_way = 0;
  wire read_goes = placed_read && reads_taken;
  wire write_ready = placed_write && writes_taken && writes_under_way != 3;
  wire write_goes = write_ready;

  // ---- The window; see below
  reg active = 0, to_dram, fence = 0, fence_was = 0;
  reg [10:0] moving, frame;
  reg [6:0] done, locked, fenced;
  reg [1:0] phase = 0;
  localparam logic [1:0] MOVING = 0, OFFERED = 1, ASKED = 2, TOLD = 3;
  wire fence_ready, updates_ready, updated;

  // ---- Memory: reads return in any order, with what was there when they were sent or since; writes are accepted in order
  (* anyseq *) wire back, back_slot, accepts, newest;
  (* anyseq *) wire [1:0] back_port;
  // two of a line's words are anything, those with the page's bit and its pointer among them
  (* anyseq *) wire [63:0] word_0, word_5;
  wire [511:0] back_data = {128'b0, word_5, 256'b0, word_0};
  reg memory_bit, memory_bit_set = 0;
  reg [63:0] pointer;
  reg fetching_bitmap = 0, fetching_pointer = 0, fetches_it, fetches_its_pointer, bit_then;
  reg [63:0] pointer_then;
  // of the writes under way, the oldest lowest: those of the watched line, and the ports
  reg [2:0] of_it = 0;
  reg [5:0] ports;
  wire present_bit = memory_bit_set ? memory_bit : bit_first;
  wire goes_is_it = write_goes && placed_write_port == 0 && placed_data[16:0] == watched;
  wire sets_bit = write_goes && placed_write_port == 2 && placed_write_line == bitmap_line && placed_strobe[page[8:3]];
  reg bit_to_come, bit_comes = 0;
  wire accepted = !reset && accepts && writes_under_way != 0;
  wire [1:0] accepted_port = ports[1:0];
  wire bitmap_back = back && back_port == 2 && !back_slot;
  wire pointer_back = back && back_port == 2 && back_slot;
  wire [63:0] pointer_read = back_data[64*pointer_at+:64];
  always_comb begin
    contract_returns :
    assume (!back || !reset && (back_port == 0 ? sent[back_slot] :
        back_port == 2 ? (back_slot ? fetching_pointer : fetching_bitmap) : back_port == 1));
    contract_bit : assume (!(bitmap_back && fetches_it) || back_data[page[8:0]] == (newest ? present_bit : bit_then));
    contract_pointer :
    assume (!(pointer_back && fetches_its_pointer) || pointer_read == (newest ? pointer : pointer_then));
  end

  // ---- Whoever moves pages, one after another, as MovePort says: lock, fence, done, and so on; pointer, update, end
  (* anyseq *) wire begins, locks, advances, tells, early;
  (* anyseq *) wire [10:0] next_page, next_frame;
  (* anyseq *) wire next_to_dram;
  (* anyseq *) wire [6:0] next_locked, next_done;
  (* anyseq *)wire [63:0] next_pointer;
  reg  [10:0] lives_in;
  reg lives_in_frame, settled = 0;
  wire in_frame = settled ? lives_in_frame : bit_first;
  wire [10:0] its_frame = settled ? lives_in : frame_first;
  wire ours = moving == page;
  wire [63:0] to_frame = {1'b1, 52'b0, 11'b0} | next_frame;
  wire busy;
  always_comb begin
    contract_page : assume (next_page[10] && is_frame(next_frame));
    contract_move :
    assume (next_page != page || next_to_dram == !in_frame && (next_to_dram || next_frame == its_frame));
    contract_short : assume (next_pointer[62:11] == 0);
    contract_lock : assume (next_locked <= 64);
  end
  always @(posedge clock) begin
    if (reset) begin
      active <= 0;
      fence <= 0;
      settled <= 0;
      memory_bit_set <= 0;
    end else begin
      if (!active && begins && !busy) begin
        active <= 1;
        moving <= next_page;
        frame <= next_frame;
        to_dram <= next_to_dram;
        done <= 0;
        fenced <= 0;
        locked <= next_locked;
        fence <= 1;
        phase <= MOVING;
        if (early && table_mode && next_page == page && next_to_dram) pointer <= to_frame;
      end
      if (active)
        case (phase)
          MOVING: begin
            if (fence && fence_ready) begin
              fence  <= 0;
              fenced <= locked;
            end
            if (!fence && locks && next_locked > locked) begin
              locked <= next_locked;
              fence  <= 1;
            end
            if (advances && next_done > done && next_done <= fenced) done <= next_done;
            if (done == 64) begin
              phase <= OFFERED;
              if (ours) pointer <= to_dram ? {1'b1, 52'b0, 11'b0} | frame : next_pointer;
            end
          end
          OFFERED: if (updates_ready) phase <= ASKED;
          default:
          if (phase == TOLD || updated) begin
            if (tells) begin
              active <= 0;
              if (ours) begin
                settled <= 1;
                lives_in_frame <= to_dram;
                lives_in <= frame;
              end
            end else phase <= TOLD;
          end
        endcase
      if (accepted && accepted_port == 2 && bit_comes) begin
        memory_bit <= bit_to_come;
        memory_bit_set <= 1;
      end
    end
    if (reset) pointer <= {1'b1, 52'b0, 11'b0} | frame_first;
    if (reset) bit_comes <= 0;
    else if (sets_bit) begin
      bit_comes   <= 1;
      bit_to_come <= placed_data[page[8:0]];
    end else if (accepted && accepted_port == 2) bit_comes <= 0;
  end

  // ---- Accounts of what is under way
  wire [1:0] left = writes_under_way - accepted;
  wire [5:0] ports_left = accepted ? ports >> 2 : ports;
  wire [2:0] of_it_left = accepted ? of_it >> 1 : of_it;
  always @(posedge clock) begin
    taken <= reset ? 0 :
        (taken | (read_comes ? 2'd1 << read_slot : 2'd0)) & ~(back && back_port == 0 ? 2'd1 << back_slot : 2'd0);
    sent <= reset ? 0 : (sent | (read_goes && placed_read_port == 0 ? 2'd1 << placed_read_slot : 2'd0)) &
        ~(back && back_port == 0 ? 2'd1 << back_slot : 2'd0);
    if (read_comes && !read_slot) line_0 <= read_line;
    if (read_comes && read_slot) line_1 <= read_line;
    writes_under_way <= reset ? 0 : left + write_goes;
    ports <= write_goes ? ports_left & ~(6'd3 << 2 * left) | placed_write_port << 2 * left : ports_left;
    of_it <= reset ? 0 : write_goes ? of_it_left & ~(3'd1 << left) | goes_is_it << left : of_it_left;
    if (read_goes && placed_read_port == 2 && !placed_read_slot) begin
      fetches_it <= placed_read_line == bitmap_line;
      bit_then   <= present_bit;
    end
    if (read_goes && placed_read_port == 2 && placed_read_slot) begin
      fetches_its_pointer <= placed_read_line == pointer_line;
      pointer_then <= pointer;
    end
    fetching_bitmap <= !reset &&
        (fetching_bitmap ? !bitmap_back : read_goes && placed_read_port == 2 && !placed_read_slot);
    fetching_pointer <= !reset &&
        (fetching_pointer ? !pointer_back : read_goes && placed_read_port == 2 && placed_read_slot);
  end

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
      .io_writes_bits_data({495'b0, write_line}),
      .io_writes_bits_strobe(~64'b0),
      .io_placed_reads_ready(read_goes),
      .io_placed_reads_valid(placed_read),
      .io_placed_reads_bits_line(placed_read_line),
      .io_placed_reads_bits_tag_port(placed_read_port),
      .io_placed_reads_bits_tag_slot(placed_read_slot),
      .io_placed_writes_ready(write_ready),
      .io_placed_writes_valid(placed_write),
      .io_placed_writes_bits_line(placed_write_line),
      .io_placed_writes_bits_port(placed_write_port),
      .io_placed_writes_bits_data(placed_data),
      .io_placed_writes_bits_strobe(placed_strobe),
      .io_placed_returns_valid(back),
      .io_placed_returns_bits_tag_port(back_port),
      .io_placed_returns_bits_tag_slot(back_slot),
      .io_placed_returns_bits_data(back_data),
      .io_placed_returns_bits_lost(1'b0),
      .io_placed_accepted_valid(accepted),
      .io_placed_accepted_bits(accepted_port),
      .io_move_window_active(active),
      .io_move_window_page(moving),
      .io_move_window_frame(frame),
      .io_move_window_toDram(to_dram),
      .io_move_window_done(done),
      .io_move_window_lockedUntil(locked),
      .io_move_fence_valid(fence),
      .io_move_fence_ready(fence_ready),
      .io_move_updates_ready(updates_ready),
      .io_move_updates_valid(active && phase == OFFERED),
      .io_move_updates_bits_page(moving),
      .io_move_updates_bits_redirected(to_dram),
      .io_move_updates_bits_frame(frame),
      .io_move_updated(updated),
      .io_move_frames_valid(1'b0),
      .io_move_memory_reads_valid(1'b0),
      .io_move_memory_writes_valid(1'b0),
      .io_remap_control_enable(1'b1),
      .io_remap_control_table(table_mode),
      .io_remap_control_bitmapBase(bitmap_base),
      .io_remap_control_pointerBase(pointer_base),
      .io_remap_control_frameBase(frame_base),
      .io_remap_control_frameCount(6'd32),
      .io_remap_busy(busy),
      .io_remap_frameStates_read(1'b0)
  );

  // ---- Where the watched line is in this cycle, and where accesses go
  wire in_window = active && ours;
  wire [5:0] at = watched[5:0];
  wire may_be_sent = !in_window || at < done || at >= locked;
  wire at_frame = in_window ? to_dram == (at < done) : in_frame;
  wire [16:0] place = at_frame ? {in_window ? frame : its_frame, at} : watched;
  wire [16:0] asked = read_comes && read_slot == placed_read_slot ? read_line : placed_read_slot ? line_1 : line_0;
  wire demand_read = read_goes && placed_read_port == 0;
  wire demand_write = write_goes && placed_write_port == 0;
  wire [16:0] written = placed_data[16:0];

  wire sent_wrong = demand_read && asked == watched && !(may_be_sent && placed_read_line == place) ||
      demand_write && written == watched && !(may_be_sent && placed_write_line == place);
  function automatic strays(input logic [16:0] from, input logic [16:0] to);
    strays = from != to && !(from[16] && is_frame(to[16:6]) && from[5:0] == to[5:0]);
  endfunction
  wire astray = demand_read && strays(asked, placed_read_line) || demand_write && strays(written, placed_write_line);
  wire fenced_off = in_window && at >= done && at < fenced;
  wire under_way = sent[0] && line_0 == watched || sent[1] && line_1 == watched || |of_it;
  wire seen_locked = fenced_off && (under_way || demand_read && asked == watched || demand_write && written == watched);
  always @(posedge clock)
    if (!reset) begin
      sent_where_it_is : assert (!sent_wrong);
      home_or_to_a_frame : assert (!astray);
      none_under_way_while_locked : assert (!seen_locked);
    end

`ifdef COVERS
  `include "covers.svh"
  wire violated = sent_wrong || astray || seen_locked;
  always @(posedge clock) begin
    if (!reset && whole) begin
      redirected_by_a_fetched_pointer : cover (demand_read && asked == watched && !active && placed_read_line != asked);
      done_and_read_in_the_frame :
      cover (demand_read && asked == watched && in_window && to_dram && at < done && done < 64);
    end
  end
`endif
endmodule
