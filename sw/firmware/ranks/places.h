/* SPDX-License-Identifier: Apache-2.0 */
/** Where the memory of each hart lies, under the address map rank_row_bank_column: an offset from the first byte of
 * memory is, from its lowest bit on, a byte of a row, a bank, the row's number and a rank. */
#ifndef RANKS_PLACES_H
#define RANKS_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct geometry {
  uint32_t row_bytes, banks, rows, ranks;  ///< powers of two
};

/** How a hart's bytes lie in its part of memory: three pieces of a byte's number, each shifted on its own. Finding one
 * takes as long in all ranks as in one's own, and no division, which would take Rocket longer than a read. */
struct placement {
  uint64_t first;
  uint32_t together;  ///< mask of the bytes that lie as they are counted
  uint32_t turns;     ///< mask of the bits that choose the rank
  uint32_t up, down;  ///< by how many bits those go up, and those above them down
};

/** In the hart's rank alone, in the banks of which the bytes go on with their next rows; or in all ranks, in which they
 * go through the banks of one after those of the other. Harts that are more than ranks share these. */
static inline struct placement placement_of(const struct geometry* geometry, bool own_rank, unsigned hart) {
  const uint32_t of_row = geometry->row_bytes * geometry->banks;  // bytes of a row in each bank of a rank
  const uint64_t of_rank = (uint64_t)of_row * geometry->rows;
  if (own_rank) return (struct placement){.first = hart % geometry->ranks * of_rank, .together = UINT32_MAX};
  return (struct placement){
      .first = 0,
      .together = of_row - 1,
      .turns = (geometry->ranks - 1) * of_row,
      .up = (uint32_t)__builtin_ctz(geometry->rows),
      .down = (uint32_t)__builtin_ctz(geometry->ranks),
  };
}

/** Byte `byte` of a hart's memory, as an offset from the first of its part. */
static inline uint64_t place_of(struct placement placement, uint32_t byte) {
  const uint32_t above = byte & ~placement.together & ~placement.turns;
  return placement.first + (byte & placement.together) + ((uint64_t)(byte & placement.turns) << placement.up) +
         (above >> placement.down);
}

#endif
