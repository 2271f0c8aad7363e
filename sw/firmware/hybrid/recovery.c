// SPDX-License-Identifier: Apache-2.0
#include "recovery.h"

#include <stdbool.h>
#include <stddef.h>

#define VALID (UINT64_C(1) << 63)
#define PAGES_NUMBERED (UINT64_C(1) << 52)  // as many as the number in an entry, and an address of 64 bits, can tell
#define FRAME (PAGES_NUMBERED - 1)

// Frames lie below the region, and the region where pages have numbers. No sum, which could wrap.
static bool is_possible(const struct recovery_layout* layout) {
  return layout->pages != 0 && layout->pages <= PAGES_NUMBERED &&
         layout->first_page <= PAGES_NUMBERED - layout->pages && layout->frames != 0 &&
         layout->frames <= layout->first_page && layout->first_frame <= layout->first_page - layout->frames;
}

static bool names_frame(uint64_t entry, const struct recovery_layout* layout) {
  const uint64_t frame = entry & FRAME;
  return frame >= layout->first_frame && frame - layout->first_frame < layout->frames;
}

enum hybrid_error recovery_run(volatile uint64_t* table, const struct recovery_layout* layout, uint64_t* in_dram,
                               uint64_t room, struct recovery_found* found) {
  if (table == NULL || layout == NULL || found == NULL) return HYBRID_NULL;
  if (!is_possible(layout)) return HYBRID_RANGE;
  struct recovery_found sum = {0, 0};
  for (uint64_t index = 0; index < layout->pages; ++index) {
    const uint64_t entry = table[index];
    if (!(entry & VALID)) continue;
    if (!names_frame(entry, layout)) {
      ++sum.bad;
      continue;
    }
    if (in_dram != NULL) {
      if (sum.in_dram == room) return HYBRID_RANGE;
      in_dram[sum.in_dram] = layout->first_page + index;
    }
    ++sum.in_dram;
  }
  // cleared once all is known, so that a power cut in the walk finds the table as it was
  for (uint64_t index = 0; index < layout->pages; ++index)
    if (table[index] & VALID) table[index] = 0;
  *found = sum;
  return HYBRID_OK;
}
