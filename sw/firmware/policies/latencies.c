// SPDX-License-Identifier: Apache-2.0
#include "latencies.h"

#include <inttypes.h>
#include <stdio.h>

#include "harts.h"
#include "mover.h"
#include "places.h"
#include "registers.h"
#include "remap.h"

#define READS 64u
#define SUPERPAGE_BYTES (2 * MIB)

// Mean cycles of loads each of which needs the one before. Lines lie in different sets of the hart's cache or are
// evicted by those that follow, as they are `stride` apart and each is read once.
static uint32_t chase(uintptr_t first, uintptr_t stride, uint32_t reads) {
  uint64_t zero = 0;
  uintptr_t address = first;
  const uint64_t begin = cycles();
  for (uint32_t i = 0; i < reads; ++i) {
    uint64_t value = *(volatile uint64_t*)(address + zero);
    __asm__ volatile("and %0, %1, zero" : "=r"(zero) : "r"(value));
    address += stride;
  }
  __asm__ volatile("" ::"r"(zero));
  return (uint32_t)((cycles() - begin + reads / 2) / reads);
}

// Mean cycles of loads and stores to lines that are not in the cache, each of which evicts the line that was written
// before.
static uint32_t modify(uintptr_t first, uintptr_t stride, uint32_t accesses) {
  uintptr_t address = first;
  const uint64_t begin = cycles();
  for (uint32_t i = 0; i < accesses; ++i, address += stride) {
    volatile uint64_t* word = (volatile uint64_t*)address;
    *word = *word + 1;
  }
  return (uint32_t)((cycles() - begin + accesses / 2) / accesses);
}

static uint32_t move(enum hybrid_error error) {
  const uint64_t begin = cycles();
  mover_wait();
  (void)error;
  return (uint32_t)(cycles() - begin);
}

// another row of the same bank, and the same set of the hart's cache
#define STRIDE (64 * 1024u)

struct utility_costs measure_costs(uint32_t frame) {
  struct utility_costs costs;
  const uint32_t page = PAGES_OF(MEASURED);
  costs.dram_read = chase(ADDRESS(WORKLOAD_IN_DRAM + 48 * MIB), STRIDE + 4096 * 3, READS);
  costs.nvm_read = chase(ADDRESS(MEASURED + 48 * MIB), STRIDE + 4096 * 3, READS);
  const uint32_t dram_both = modify(ADDRESS(WORKLOAD_IN_DRAM + 56 * MIB), STRIDE + 4096 * 3, READS);
  const uint32_t nvm_both = modify(ADDRESS(MEASURED + 56 * MIB), STRIDE + 4096 * 3, READS);
  costs.dram_write = dram_both > costs.dram_read ? dram_both - costs.dram_read : 1;
  costs.nvm_write = nvm_both > costs.nvm_read ? nvm_both - costs.nvm_read : 1;
  costs.migrate = move(mover_promote(page, frame, NULL));
  *(volatile uint64_t*)ADDRESS(MEASURED) += 1;
  (void)*(volatile uint64_t*)ADDRESS(MEASURED + 4096);  // evicts it from the hart's cache
  __asm__ volatile("fence rw, rw" ::: "memory");
  costs.write_back = move(mover_evict(page, NULL));
  return costs;
}

static unsigned lost;

static void path(const char* name, uintptr_t first, uintptr_t stride, uint32_t reads, struct remap_counts expected) {
  const struct remap_counts before = remap_counts();
  const uint32_t cycles = chase(first, stride, reads);
  const struct remap_counts after = remap_counts();
  const bool right = after.bitmap_hits - before.bitmap_hits == expected.bitmap_hits &&
                     after.bitmap_misses - before.bitmap_misses == expected.bitmap_misses &&
                     after.pointer_hits - before.pointer_hits == expected.pointer_hits &&
                     after.pointer_misses - before.pointer_misses == expected.pointer_misses;
  lost += !right;
  printf("{\"path\":\"%s\",\"cycles\":%" PRIu32 ",\"reads\":%" PRIu32 ",\"took_it\":%s}\n", name, cycles, reads,
         right ? "true" : "false");
  if (!right)
    printf("%s: hits %" PRIu32 " misses %" PRIu32 " pointers %" PRIu32 " %" PRIu32 "\n", name,
           after.bitmap_hits - before.bitmap_hits, after.bitmap_misses - before.bitmap_misses,
           after.pointer_hits - before.pointer_hits, after.pointer_misses - before.pointer_misses);
}

// Pages of one set of the pointer cache, more than it has ways.
#define SET_STRIDE 1024u
#define CONFLICTING 32u

unsigned measure_paths(bool pointer_table) {
  const struct remap_layout layout = {
      .pointer_table = pointer_table,
      .bitmap_page = PAGES_OF(BITMAPS),
      .pointer_page = PAGES_OF(POINTERS),
      .first_frame = PAGES_OF(FRAMES),
      .frames = 1024,
  };
  const struct remap_counts none = {0};
  const uintptr_t measured = ADDRESS(MEASURED);
  lost = 0;
  // rows that nobody needs are closed, so that each read opens one
  const uint32_t row_policy = READ(row_policy);
  WRITE(row_policy, 1);
  path("DRAM", ADDRESS(WORKLOAD_IN_DRAM), STRIDE + 4096 * 3, READS, none);
  path("NVM, remapping disabled", measured + 4 * 4096, STRIDE + 4096 * 3, 24, none);
  if (remap_start(&layout) != HYBRID_OK) return 1;
  path("DRAM, remapping enabled", ADDRESS(WORKLOAD_IN_DRAM + 8 * MIB), STRIDE + 4096 * 3, READS, none);
  // each of another superpage, the first of which is not in the cache of bitmaps
  path("NVM, bitmap miss", measured + SUPERPAGE_BYTES, SUPERPAGE_BYTES + STRIDE + 4096 * 3, READS,
       (struct remap_counts){.bitmap_misses = READS});
  (void)*(volatile uint64_t*)(measured + 64);
  path("NVM, bitmap hit", measured + 6 * 4096 + 128, STRIDE + 4096 * 3, 24, (struct remap_counts){.bitmap_hits = 24});
  const uint32_t page = PAGES_OF(MEASURED);
  for (uint32_t i = 0; i < CONFLICTING; ++i) {
    while (mover_room() == 0) {
    }
    mover_promote(page + SET_STRIDE * i, layout.first_frame + 16 * i + i % 3, NULL);
  }
  mover_wait();
  for (uint32_t i = 0; i < CONFLICTING; ++i) (void)*(volatile uint64_t*)(measured + SET_STRIDE * 4096 * i + 64);
  path("redirected, pointer miss", measured + 192, SET_STRIDE * 4096, CONFLICTING,
       (struct remap_counts){.bitmap_hits = CONFLICTING, .pointer_misses = CONFLICTING});
  // pages of a few sets, as few as there are ways
  for (uint32_t i = 0; i < 24; ++i) {
    while (mover_room() == 0) {
    }
    mover_promote(page + 1 + 19 * i, layout.first_frame + 800 + 3 * i, NULL);
  }
  mover_wait();
  for (uint32_t i = 0; i < 24; ++i) (void)*(volatile uint64_t*)(measured + (1 + 19 * i) * 4096 + 64);
  path("redirected, pointer hit", measured + 4096 + 256, 19 * 4096, 24,
       (struct remap_counts){.bitmap_hits = 24, .pointer_hits = 24});
  for (uint32_t i = 0; i < CONFLICTING; ++i) {
    while (mover_room() == 0) {
    }
    mover_evict(page + SET_STRIDE * i, NULL);
  }
  for (uint32_t i = 0; i < 24; ++i) {
    while (mover_room() == 0) {
    }
    mover_evict(page + 1 + 19 * i, NULL);
  }
  mover_wait();
  if (remap_had_bad_pointer()) ++lost;
  WRITE(row_policy, row_policy);
  return lost + (remap_stop() != HYBRID_OK);
}
