// SPDX-License-Identifier: Apache-2.0
// policies: one workload whose hot pages lie in emulated NVM, under one of five policies; or the latency of each path.
// Every word that the workload wrote is compared with what it must be; the exit code tells whether one was wrong.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "harts.h"
#include "latencies.h"
#include "migration.h"
#include "mover.h"
#include "options.h"
#include "places.h"
#include "power_cut.h"
#include "recovery.h"
#include "registers.h"
#include "remap.h"
#include "sums.h"
#include "workload.h"

#define STEP 64u  // accesses between two looks at what there is to move

static const char* const names[POLICIES] = {"all_dram",        "all_nvm",   "flat_static", "utility_pages",
                                            "superpage_moves", "latencies", "after_cut"};

struct traffic {
  uint64_t reads, writes;
};

static struct traffic traffic(unsigned rank) {
  WRITE(counters_latch, WEIR__COUNTERS_LATCH__LATCH_bm);
  return (struct traffic){
      COUNTER(source_rank[0][rank].read_hits) + COUNTER(source_rank[0][rank].read_misses) +
          COUNTER(source_rank[0][rank].read_conflicts),
      COUNTER(source_rank[0][rank].write_hits) + COUNTER(source_rank[0][rank].write_misses) +
          COUNTER(source_rank[0][rank].write_conflicts),
  };
}

// The lower half of a word is the sum of what was added to it. Returns how many reads found a word of another line.
static uint32_t run(const struct workload* workload, bool migrates, uint32_t checkpoint) {
  uint64_t state = workload->seed;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < workload->accesses; ++i) {
    const struct access access = workload_next(workload, &state);
    volatile uint64_t* const word = word_of(workload, access);
    const uint64_t value = *word;
    wrong += !is_tagged(value, access);
    if (access.write) *word = (value & ~UINT64_C(0xffffffff)) | (uint32_t)((uint32_t)value + access.write);
    if (!migrates) continue;
    if (i % STEP == 0) migration_step();
    if (checkpoint != 0 && (i + 1) % checkpoint == 0) wrong += !checkpoint_take(i + 1);
  }
  return wrong;
}

static void set_memory(bool nvm_is_slow, uint32_t time_scale) {
  const uint64_t settled = cycles() + 100;
  WRITE(time_scale, AT(time_scale, WEIR__TIME_SCALE__FACTOR));
  WRITE(nvm_control, AT(nvm_is_slow, WEIR__NVM_CONTROL__ENABLE));
  while (cycles() < settled) {
  }
}

int main(void) {
  struct options options;
  const unsigned missing = options_read(&options);
  if (missing != 0) {
    printf("policies: number %u of the script is missing or out of range\n", missing);
    return 2;
  }
  printf("policies: %s\n", names[options.policy]);

  const struct remap_layout layout = {
      .pointer_table = options.pointer_table,
      .bitmap_page = PAGES_OF(BITMAPS),
      .pointer_page = PAGES_OF(POINTERS),
      .first_frame = PAGES_OF(FRAMES),
      .frames = options.frames,
  };
  // as after a power cut, for the pages that are used here: memory holds anything
  set_memory(false, 1);
  const uint32_t first_page = PAGES_OF(WORKLOAD_IN_NVM);
  const uint32_t entry = first_page - remap_first_page();
  const struct recovery_layout recovered = {first_page, 512 * SUPERPAGES, layout.first_frame, layout.frames};
  struct recovery_found found;
  if (recovery_run((volatile uint64_t*)ADDRESS(POINTERS) + entry, &recovered, NULL, 0, &found) != HYBRID_OK) return 3;
  set_memory(true, options.time_scale);
  if (FIELD(READ(time_scale), WEIR__TIME_SCALE__FACTOR) != options.time_scale) {
    printf("policies: the controller refuses time scale %" PRIu32 "\n", options.time_scale);
    return 2;
  }

  if (options.policy == LATENCIES) {
    printf("=== begin policies rows ===\n");
    const unsigned lost = measure_paths(options.pointer_table);
    printf("=== end policies rows ===\n");
    return lost != 0;
  }

  const struct workload workload = {
      .accesses = options.accesses,
      .hot_pages = options.hot_pages,
      .hot_share = options.hot_share,
      .writes = options.writes,
      .dram_pages = options.policy == ALL_DRAM      ? 512
                    : options.policy == FLAT_STATIC ? 512 / 9
                                                    : 0,
      .seed = options.seed,
  };
  if (remap_start(&layout) != HYBRID_OK) {
    printf("policies: the controller refuses the layout\n");
    return 2;
  }
  if (options.policy == AFTER_CUT) {
    printf("=== begin policies rows ===\n");
    const uint32_t wrong = report_cut(&workload, &found);
    printf("=== end policies rows ===\n");
    return wrong != 0 || remap_had_bad_pointer();
  }
  const struct utility_costs costs = measure_costs(layout.first_frame);
  printf("policies: reads %" PRIu32 " NVM, %" PRIu32 " DRAM; writes %" PRIu32 ", %" PRIu32 "; migrate %" PRIu32
         ", write back %" PRIu32 " cycles\n",
         costs.nvm_read, costs.dram_read, costs.nvm_write, costs.dram_write, costs.migrate, costs.write_back);

  const bool migrates = options.policy == UTILITY_PAGES || options.policy == SUPERPAGE_MOVES;
  if (!migrates && remap_stop() != HYBRID_OK) return 3;
  if (migrates && migration_prepare(first_page / 512, SUPERPAGES, layout.first_frame, layout.frames) != HYBRID_OK)
    return 3;
  const struct traffic before[2] = {traffic(0), traffic(1)};
  const uint32_t lines = mover_lines();
  const struct remap_counts counted = remap_counts();
  const uint64_t begin = cycles();
  if (migrates && migration_start(options.policy == SUPERPAGE_MOVES, &costs, options.interval) != HYBRID_OK) {
    printf("policies: no migration by these costs\n");
    return 3;
  }
  uint32_t wrong = run(&workload, migrates, options.checkpoint);
  const uint64_t taken = cycles() - begin;
  const uint32_t moved_lines = mover_lines() - lines;
  const struct traffic after[2] = {traffic(0), traffic(1)};
  const struct remap_counts recounted = remap_counts();
  struct migration_counts moves = {0};
  if (migrates) moves = migration_end();
  const uint32_t wrong_tags = wrong;

  set_memory(false, 1);
  uint32_t checked = 0;
  sums_replay(&workload);
  wrong += sums_check(&workload, &checked);
  if (migrates && options.pointer_table) {
    // NVM alone holds everything after a flush
    uint16_t number;
    mover_flush(&number);
    mover_wait();
    wrong += mover_result(number) != MOVER_DONE;
    if (remap_stop() != HYBRID_OK) ++wrong;
    wrong += sums_check(&workload, &checked);
  }
  const bool bad_pointer = remap_had_bad_pointer();
  printf("=== begin policies rows ===\n");
  printf("{\"policy\":\"%s\",\"cycles\":%" PRIu64 ",\"dram_reads\":%" PRIu64 ",\"dram_writes\":%" PRIu64
         ",\"nvm_reads\":%" PRIu64 ",\"nvm_writes\":%" PRIu64,
         names[options.policy], taken, after[0].reads - before[0].reads, after[0].writes - before[0].writes,
         after[1].reads - before[1].reads, after[1].writes - before[1].writes);
  printf(",\"pages_promoted\":%" PRIu32 ",\"pages_evicted\":%" PRIu32 ",\"moves_refused\":%" PRIu32
         ",\"bytes_moved\":%" PRIu64 ",\"intervals\":%" PRIu32 ",\"least_count\":%" PRIu32,
         moves.promoted, moves.evicted, moves.refused, (uint64_t)64 * moved_lines, moves.intervals, moves.least_count);
  printf(",\"redirected_reads\":%" PRIu32 ",\"redirected_writes\":%" PRIu32 ",\"pointer_hits\":%" PRIu32
         ",\"pointer_misses\":%" PRIu32 ",\"bitmap_misses\":%" PRIu32,
         recounted.redirected_reads - counted.redirected_reads, recounted.redirected_writes - counted.redirected_writes,
         recounted.pointer_hits - counted.pointer_hits, recounted.pointer_misses - counted.pointer_misses,
         recounted.bitmap_misses - counted.bitmap_misses);
  printf(",\"t_nr\":%" PRIu32 ",\"t_nw\":%" PRIu32 ",\"t_dr\":%" PRIu32 ",\"t_dw\":%" PRIu32 ",\"t_mig\":%" PRIu32
         ",\"t_writeback\":%" PRIu32,
         costs.nvm_read, costs.nvm_write, costs.dram_read, costs.dram_write, costs.migrate, costs.write_back);
  printf(",\"words_checked\":%" PRIu32 ",\"wrong_words\":%" PRIu32 ",\"wrong_reads\":%" PRIu32 ",\"bad_pointer\":%s}\n",
         checked, wrong - wrong_tags, wrong_tags, bad_pointer ? "true" : "false");
  printf("=== end policies rows ===\n");
  return wrong != 0 || bad_pointer || moves.refused != 0;
}
