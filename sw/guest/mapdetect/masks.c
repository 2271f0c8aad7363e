// SPDX-License-Identifier: Apache-2.0
#include "masks.h"

bool mask_parity(uint64_t address, uint64_t mask) {
  uint64_t bits = address & mask;  // the harts have no instruction for it
  for (unsigned shift = 32; shift != 0; shift /= 2) bits ^= bits >> shift;
  return bits & 1;
}

uint64_t mask_pivot(uint64_t mask, enum pivot pivot) {
  if (pivot == PIVOT_LOWEST) return mask & -mask;
  uint64_t bit = 1;
  while (mask >>= 1) bit <<= 1;
  return bit;
}

uint64_t mask_without(uint64_t mask, const uint64_t* reduced, unsigned count, enum pivot pivot) {
  for (unsigned i = 0; i < count; ++i)
    if (mask & mask_pivot(reduced[i], pivot)) mask ^= reduced[i];
  return mask;
}

unsigned masks_reduce(uint64_t* masks, unsigned count, enum pivot pivot) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t mask = mask_without(masks[i], masks, kept, pivot);
    if (mask == 0) continue;
    const uint64_t bit = mask_pivot(mask, pivot);
    for (unsigned other = 0; other < kept; ++other)
      if (masks[other] & bit) masks[other] ^= mask;
    unsigned place = kept++;
    for (; place > 0 && mask_pivot(masks[place - 1], pivot) > bit; --place) masks[place] = masks[place - 1];
    masks[place] = mask;
  }
  return kept;
}
