/* SPDX-License-Identifier: Apache-2.0 */
/** What is to run, as the simulator's script says: numbers in decimal, each followed by a space. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

enum policy { ALL_DRAM, ALL_NVM, FLAT_STATIC, UTILITY_PAGES, SUPERPAGE_MOVES, LATENCIES, AFTER_CUT, POLICIES };

struct options {
  enum policy policy;
  uint32_t pointer_table;  ///< 0: pointers in the pages' homes
  uint32_t time_scale;
  uint32_t accesses, hot_pages, hot_share, writes;  ///< as in struct workload
  uint32_t frames;
  uint32_t interval;  ///< controller cycles
  uint32_t seed;
  uint32_t checkpoint;  ///< accesses from one checkpoint to the next, where pages move; 0: none
};

/** Reads them all. @return 0, or the place from 1 on of the one that is missing or out of range */
unsigned options_read(struct options* options);

#endif
