// SPDX-License-Identifier: Apache-2.0
#include "power_cut.h"

#include <inttypes.h>
#include <stdio.h>

#include "migration.h"
#include "places.h"
#include "sums.h"

#define MARK UINT64_C(0x5745495200000000)
#define CACHE_BYTES 4096u  // the hart's data cache, direct-mapped

static volatile uint64_t* note(void) { return (volatile uint64_t*)ADDRESS(CHECKPOINT); }

// What the hart has written goes to memory: reads of what lies in DRAM take its place in the cache.
static void write_back(void) {
  volatile const uint8_t* others = (volatile const uint8_t*)ADDRESS(BITMAPS);
  for (uint32_t byte = 0; byte < 2 * CACHE_BYTES; byte += 64) (void)others[byte];
  __asm__ volatile("fence rw, rw" ::: "memory");
}

bool checkpoint_take(uint32_t accesses) {
  write_back();
  if (!migration_flush()) return false;
  *note() = MARK | accesses;
  write_back();
  return true;
}

uint32_t checkpoint_kept(void) {
  const uint64_t word = *note();
  return (word & ~UINT64_C(0xffffffff)) == MARK ? (uint32_t)word : 0;
}

uint32_t report_cut(const struct workload* workload, const struct recovery_found* found) {
  const uint32_t kept = checkpoint_kept();
  uint32_t checked;
  const uint32_t wrong = sums_check_cut(workload, kept, &checked);
  printf("{\"policy\":\"after_cut\",\"checkpoint\":%" PRIu32 ",\"pages_in_dram\":%" PRIu64 ",\"bad_entries\":%" PRIu64
         ",\"words_checked\":%" PRIu32 ",\"wrong_words\":%" PRIu32 "}\n",
         kept, found->in_dram, found->bad, checked, wrong);
  return wrong;
}
