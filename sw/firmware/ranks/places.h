/* SPDX-License-Identifier: Apache-2.0 */
/** Where the memory of each hart lies, under the address map row_rank_bank_column: an offset from the first byte of
 * memory is, from its lowest bit on, a byte of a row, a bank, a rank and the row's number. */
#ifndef RANKS_PLACES_H
#define RANKS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct geometry {
  uint32_t row_bytes, banks, ranks;  ///< powers of two
};

/** How a hart's bytes lie in its part of memory. Finding one takes as long in all ranks as in one's own, and no
 * division, which would take Rocket longer than a read. */
struct placement {
  uint64_t first;
  uint32_t together;  ///< mask of the bytes that lie as they are counted
  uint32_t shift;     ///< of the others
};

/** In all ranks, in which they go through the banks of one after those of the other; or in the hart's rank alone, in
 * the banks of which they go on with their next rows. Harts that are more than ranks share these. */
static inline struct placement placement_of(const struct geometry* geometry, bool own_rank, unsigned hart) {
  if (!own_rank) return (struct placement){0, UINT32_MAX, 0};
  const uint32_t of_rank = geometry->row_bytes * geometry->banks;  // bytes of a row in each bank
  return (struct placement){
      .first = (uint64_t)(hart % geometry->ranks) * of_rank,
      .together = of_rank - 1,
      .shift = (uint32_t)__builtin_ctz(geometry->ranks),
  };
}

/** Byte `byte` of a hart's memory, as an offset from the first of its part. */
static inline uint64_t place_of(struct placement placement, uint32_t byte) {
  return placement.first + (byte & placement.together) + ((uint64_t)(byte & ~placement.together) << placement.shift);
}

#endif
