// SPDX-License-Identifier: Apache-2.0
#include "recovery.h"

#include <stdbool.h>
#include <stddef.h>

#define VALID (UINT64_C(1) << 63)
#define FRAME ((UINT64_C(1) << 52) - 1)

static bool names_frame(uint64_t entry, const struct recovery_layout* layout) {
  const uint64_t frame = entry & FRAME;
  return frame >= layout->first_frame && frame - layout->first_frame < layout->frames;
}

enum hybrid_error recovery_run(volatile uint64_t* table, const struct recovery_layout* layout, uint64_t* in_dram,
                               uint64_t room, struct recovery_found* found) {
  if (table == NULL || layout == NULL || found == NULL) return HYBRID_NULL;
  if (layout->pages == 0 || layout->frames == 0 || layout->first_frame + layout->frames > layout->first_page)
    return HYBRID_RANGE;
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
