// SPDX-License-Identifier: Apache-2.0
#include "places.h"

#include "../../guest/mapdetect/masks.h"

static uint32_t own(uint32_t mask) { return mask & -mask; }

static uint32_t own_bits(const struct masks* masks) {
  uint32_t bits = own(masks->rank);
  for (unsigned i = 0; i < BANK_BITS; ++i) bits |= own(masks->bank[i]);
  return bits;
}

uint32_t offset_before(const struct masks* old, const struct masks* new, uint32_t offset) {
  const uint32_t line = UINT32_C(1) << FIRST_BIT;
  const uint32_t taken_old = own_bits(old), taken_new = own_bits(new);
  uint32_t found = offset & (line - 1);
  // column and row, in the order of the bits that are nobody's own
  for (unsigned from = FIRST_BIT, to = FIRST_BIT; from < END_BIT; ++from) {
    if (taken_new >> from & 1) continue;
    while (taken_old >> to & 1) ++to;
    if (offset >> from & 1) found |= UINT32_C(1) << to;
    ++to;
  }
  // the other bits of a mask are above its own, or are own to a mask with a higher own bit
  for (uint32_t bit = UINT32_C(1) << (END_BIT - 1); bit >= line; bit >>= 1) {
    if (!(taken_old & bit)) continue;
    uint32_t mask = old->rank, mask_new = new->rank;
    for (unsigned i = 0; i < BANK_BITS; ++i)
      if (own(old->bank[i]) == bit) mask = old->bank[i], mask_new = new->bank[i];
    if (mask_parity(found, mask) != mask_parity(offset, mask_new)) found |= bit;
  }
  return found;
}
