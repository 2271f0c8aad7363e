/* SPDX-License-Identifier: Apache-2.0 */
/** Which pages are worth moving: utility-based migration of Rainbow, section III-C. */
#ifndef HYBRID_UTILITY_H
#define HYBRID_UTILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"

/** Table III, in cycles of one clock. */
struct utility_costs {
  uint32_t nvm_read, nvm_write;    ///< t_nr, t_nw
  uint32_t dram_read, dram_write;  ///< t_dr, t_dw
  uint32_t migrate;                ///< T_mig: a page from NVM to DRAM
  uint32_t write_back;             ///< T_writeback: a dirty page from DRAM to NVM
};

/** Reads and writes of a page in an interval: C_r, C_w. */
struct page_use {
  uint32_t reads, writes;
};

/** @return HYBRID_OK, HYBRID_NULL, or HYBRID_COSTS if NVM is not slower than DRAM in either way, or faster in one */
enum hybrid_error utility_check(const struct utility_costs* costs);

/** Equation 1: cycles that are saved in the next interval if the page moves to a free frame and is used as in this one.
 */
enum hybrid_error utility_benefit(const struct utility_costs* costs, struct page_use page, int64_t* cycles);

/** Equation 2: the same if another page must leave its frame. T_writeback counts if that one is dirty. */
enum hybrid_error utility_swap_benefit(const struct utility_costs* costs, struct page_use page, struct page_use leaves,
                                       bool leaves_dirty, int64_t* cycles);

/** Reads that a write is worth, for counters that weigh writes: the nearest whole number within [1, greatest]. */
enum hybrid_error utility_write_weight(const struct utility_costs* costs, uint32_t greatest, uint32_t* weight);

/** The least count of (weighted) reads at which the benefit of equation 1 is above `threshold`.
 * @return HYBRID_RANGE if no count up to `greatest` is enough */
enum hybrid_error utility_least_count(const struct utility_costs* costs, int64_t threshold, uint32_t greatest,
                                      uint32_t* count);

/** Benefit that a page must promise, raised while pages go to and fro. */
struct utility_threshold {
  int64_t cycles;            ///< in force: move what promises more
  int64_t step;              ///< by which it is raised, and lowered
  int64_t greatest;          ///< never above
  uint32_t swaps_tolerated;  ///< evictions of an interval up to which it is lowered
};

/** At the end of an interval in which `swaps` pages had to leave DRAM for others. It never falls below 0. */
enum hybrid_error utility_threshold_update(struct utility_threshold* threshold, uint32_t swaps);

/** Cycles in which uses are counted. */
struct utility_interval {
  uint32_t cycles, greatest;  ///< in force; never above
};

/** At the end of an interval in which `found` pages reached the count from which on a move is worth it, and of the
 * accesses to the region `redirected` went to DRAM and `home` to NVM. One in which no page did though most accesses
 * went to NVM was too short for equation 1 to tell anything: the next is twice as long.
 * @return HYBRID_RANGE if it is 0 or above the greatest; then nothing changes */
enum hybrid_error utility_interval_update(struct utility_interval* interval, uint32_t found, uint32_t redirected,
                                          uint32_t home);

#endif
