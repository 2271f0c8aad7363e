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

/** Byte `byte` of the memory of `hart`, as an offset from the first of its part of memory: in all ranks, in which it
 * goes through the banks of one after those of the other; or in the hart's rank alone, in the banks of which it goes on
 * with their next rows. Harts that are more than ranks share these. */
static inline uint64_t place_of(const struct geometry* geometry, bool own_rank, unsigned hart, uint32_t byte) {
  if (!own_rank) return byte;
  const uint32_t of_rank = geometry->row_bytes * geometry->banks;  // bytes of a row in each bank
  const uint64_t row = byte / of_rank;
  return (row * geometry->ranks + hart % geometry->ranks) * of_rank + byte % of_rank;
}

#endif
