// SPDX-License-Identifier: Apache-2.0
#include "migration.h"

#include <stddef.h>

#include "frames.h"
#include "harts.h"
#include "hotness.h"
#include "mover.h"
#include "registers.h"
#include "remap.h"

#define MOST_FRAMES 1024u
#define MOST_SUPERPAGES 64u
#define GREATEST_COUNT 32767u
#define LONGEST_INTERVAL 100000000u  // the paper's

static struct frame storage[MOST_FRAMES];
static struct frames frames;
static struct utility_costs costs;
static struct utility_threshold threshold;
static struct migration_counts counts;

// What waits, or is under way, by the place of its result: commands from `collected` up to `given`.
static struct {
  uint32_t page, frame;
  bool promotes;
} command[MOVER_DEPTH];
static uint16_t collected, given;
static bool evicting;

static bool whole;                  // superpages move as a whole
static uint32_t first, superpages;  // numbers of the workload's superpages
static uint32_t frame_base;
static struct utility_interval interval;
static uint32_t ends;                   // the interval does
static uint32_t worthy;                 // pages that were worth a move in this interval
static struct remap_counts counted_at;  // as of its begin
static uint32_t swaps;
static enum { COUNTS_SUPERPAGES, COUNTS_PAGES, DONE } stage;

// Superpages to be moved as a whole, the hottest first; of the first one, pages up to `next` have been given.
static uint32_t queue[MOST_SUPERPAGES], queued, next;

// Of each page of the workload, whether it lives in a frame or is about to.
static uint8_t held[MOST_SUPERPAGES * PAGES_PER_SUPERPAGE / 8];

static bool is_held(uint32_t page) {
  const uint32_t index = page - first * PAGES_PER_SUPERPAGE;
  return held[index / 8] >> index % 8 & 1;
}

static void note_held(uint32_t page, bool now) {
  const uint32_t index = page - first * PAGES_PER_SUPERPAGE;
  const uint8_t bit = (uint8_t)(1u << index % 8);
  held[index / 8] = (uint8_t)(now ? held[index / 8] | bit : held[index / 8] & ~bit);
}

// Takes the results of what has been completed.
static void collect(void) {
  if (collected == given) return;
  for (const uint16_t completed = mover_completed(); collected != completed; ++collected) {
    const unsigned place = collected % MOVER_DEPTH;
    const bool done = mover_result(collected) == MOVER_DONE, promotes = command[place].promotes;
    if (!done) ++counts.refused;
    if (!promotes) evicting = false;
    if (promotes == done) continue;  // a frame is held from the command on
    frames_release(&frames, command[place].frame);
    note_held(command[place].page, false);
  }
}

// There is room for the command, and what was in its place is collected.
static bool give(bool promotes, uint32_t page, uint32_t frame) {
  collect();
  const unsigned place = given % MOVER_DEPTH;
  const enum hybrid_error error = promotes ? mover_promote(page, frame_base + frame, NULL) : mover_evict(page, NULL);
  if (error != HYBRID_OK) return false;
  ++given;
  command[place].page = page;
  command[place].frame = frame;
  command[place].promotes = promotes;
  if (promotes) {
    frames_hold(&frames, frame, page);
    note_held(page, true);
    ++counts.promoted;
  } else {
    evicting = true;
    ++counts.evicted;
  }
  return true;
}

// What the controller has noted: a frame that has been written to goes to the dirty list.
static void note_dirty(void) {
  for (uint32_t block = 0; block < frames.count / 32; ++block) {
    const uint32_t dirty = remap_frame_states(block, true);
    for (uint32_t bit = 0; bit < 32; ++bit)
      if (dirty >> bit & 1) frames_mark(&frames, 32 * block + bit, true);
  }
}

// A page that is worth a move by equation 1, or, if none is free, by equation 2 against the page that would leave,
// which is taken to be used no more: it is not on the hot list, so that its uses are below the count that puts it
// there.
static bool promote(struct hot_page page) {
  uint32_t frame;
  if (is_held(page.page)) return true;
  if (evicting) return false;
  if (frames_next(&frames, &frame) != HYBRID_OK) return true;
  const struct page_use use = {.reads = page.count};
  int64_t benefit;
  if (frames.frame[frame].list == FRAME_FREE) {
    utility_benefit(&costs, use, &benefit);
    return benefit <= threshold.cycles || give(true, page.page, frame);
  }
  note_dirty();
  if (frames_next(&frames, &frame) != HYBRID_OK) return true;
  utility_swap_benefit(&costs, use, (struct page_use){0}, frames.frame[frame].list == FRAME_DIRTY, &benefit);
  if (benefit <= threshold.cycles) return true;
  ++swaps;
  give(false, frames.frame[frame].page, frame);
  return false;  // once that frame is free
}

static void set_threshold(void) {
  counts.least_count = GREATEST_COUNT;
  utility_least_count(&costs, threshold.cycles, GREATEST_COUNT, &counts.least_count);
  hot_threshold(counts.least_count);
}

enum hybrid_error migration_prepare(uint32_t first_superpage, uint32_t count, uint32_t first_frame,
                                    uint32_t frame_count) {
  if (frame_count > MOST_FRAMES || count > MOST_SUPERPAGES) return HYBRID_RANGE;
  first = first_superpage;
  superpages = count;
  frame_base = first_frame;
  collected = given = mover_next();
  return frames_init(&frames, storage, frame_count);
}

enum hybrid_error migration_start(bool of_superpages, const struct utility_costs* measured, uint32_t length) {
  const enum hybrid_error error = utility_check(measured);
  if (error != HYBRID_OK) return error;
  whole = of_superpages;
  interval = (struct utility_interval){length, LONGEST_INTERVAL};
  costs = *measured;
  threshold =
      (struct utility_threshold){.step = costs.migrate, .greatest = 64ll * costs.migrate, .swaps_tolerated = 16};
  uint32_t weight;
  utility_write_weight(&costs, 31, &weight);
  hot_weights(weight, weight);
  set_threshold();
  stage = COUNTS_SUPERPAGES;
  // which superpages are in use shows soon; pages take an interval
  hot_start(true, false, false, interval.cycles / 8);
  return HYBRID_OK;
}

static void count_pages(void) {
  hot_start(false, true, true, interval.cycles);
  ends = (uint32_t)cycles() + interval.cycles;
  counted_at = remap_counts();
  worthy = 0;
}

// Accesses of the region since the interval began tell whether it was long enough.
static void interval_ended(void) {
  const struct remap_counts now = remap_counts();
  const uint32_t redirected =
      now.redirected_reads - counted_at.redirected_reads + now.redirected_writes - counted_at.redirected_writes;
  const uint32_t all = now.bitmap_hits - counted_at.bitmap_hits + now.bitmap_misses - counted_at.bitmap_misses;
  const uint32_t before = interval.cycles;
  ++counts.intervals;
  utility_threshold_update(&threshold, swaps);
  utility_interval_update(&interval, worthy, redirected, all > redirected ? all - redirected : 0);
  swaps = 0;
  set_threshold();
  if (interval.cycles != before) {
    count_pages();
    return;
  }
  ends += interval.cycles;
  counted_at = now;
  worthy = 0;
}

static void superpages_counted(void) {
  uint16_t uses[MOST_SUPERPAGES + 1];
  uint32_t hottest[MOST_SUPERPAGES];
  const struct hot_shape shape = hot_shape();
  const uint32_t offset = first - shape.first_superpage;
  static uint16_t all[512];
  uint32_t read = offset + superpages;
  if (read > 512) read = 512;
  hot_read_superpages(all, read);
  for (uint32_t i = 0; i < superpages; ++i) uses[i] = all[offset + i];
  const uint32_t most = shape.slots < superpages ? shape.slots : superpages;
  const uint32_t found = hot_greatest(uses, superpages, 1, hottest, most);
  for (uint32_t i = 0; i < found; ++i) queue[i] = first + hottest[i];
  ++counts.intervals;
  if (whole) {
    queued = found;
    next = 0;
    stage = DONE;
    return;
  }
  hot_choose(queue, found);
  stage = COUNTS_PAGES;
  count_pages();
}

static void feed(void) {
  while (queued != 0 && mover_room() != 0) {
    uint32_t frame;
    if (frames_next(&frames, &frame) != HYBRID_OK || frames.frame[frame].list != FRAME_FREE) {
      queued = 0;  // the budget is used up by superpages as hot
      return;
    }
    if (!give(true, queue[0] * PAGES_PER_SUPERPAGE + next, frame)) return;
    if (++next < PAGES_PER_SUPERPAGE) continue;
    next = 0;
    --queued;
    for (uint32_t i = 0; i < queued; ++i) queue[i] = queue[i + 1];
  }
}

void migration_step(void) {
  static struct hot_page page;
  static bool waits;
  if (stage == COUNTS_SUPERPAGES) {
    if (hot_is_idle()) superpages_counted();
    return;
  }
  if (stage == DONE) {
    feed();
    return;
  }
  collect();
  while (mover_room() != 0) {
    if (!waits) {
      if (hot_take(&page) != HYBRID_OK) break;
      ++worthy;
    }
    waits = !promote(page);
    if (waits) break;
  }
  if ((int32_t)((uint32_t)cycles() - ends) >= 0) interval_ended();
}

bool migration_flush(void) {
  uint16_t number;
  mover_wait();
  collect();
  const bool given_now = mover_flush(&number) == HYBRID_OK;
  mover_wait();
  collected = given = mover_next();
  if (!given_now || mover_result(number) != MOVER_DONE) return false;
  for (uint32_t frame = 0; frame < frames.count; ++frame)
    if (frames.frame[frame].list == FRAME_DIRTY) frames_mark(&frames, frame, false);
  return true;
}

struct migration_counts migration_end(void) {
  mover_wait();
  collect();
  hot_stop();
  return counts;
}
