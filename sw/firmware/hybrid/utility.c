// SPDX-License-Identifier: Apache-2.0
#include "utility.h"

#include <stddef.h>

enum hybrid_error utility_check(const struct utility_costs* costs) {
  if (costs == NULL) return HYBRID_NULL;
  const bool faster = costs->nvm_read < costs->dram_read || costs->nvm_write < costs->dram_write;
  const bool same = costs->nvm_read == costs->dram_read && costs->nvm_write == costs->dram_write;
  return faster || same ? HYBRID_COSTS : HYBRID_OK;
}

// Products of 32 bits each: no sum of two leaves 64 bits with the sign, but a difference of uses may have both signs.
static int64_t saved(const struct utility_costs* costs, int64_t reads, int64_t writes) {
  return ((int64_t)costs->nvm_read - costs->dram_read) * reads +
         ((int64_t)costs->nvm_write - costs->dram_write) * writes;
}

// So that no product above leaves 62 bits.
static bool is_countable(struct page_use use) { return use.reads <= INT32_MAX / 2 && use.writes <= INT32_MAX / 2; }

enum hybrid_error utility_benefit(const struct utility_costs* costs, struct page_use page, int64_t* cycles) {
  const enum hybrid_error error = utility_check(costs);
  if (error != HYBRID_OK) return error;
  if (cycles == NULL) return HYBRID_NULL;
  if (!is_countable(page)) return HYBRID_RANGE;
  *cycles = saved(costs, page.reads, page.writes) - (int64_t)costs->migrate;
  return HYBRID_OK;
}

enum hybrid_error utility_swap_benefit(const struct utility_costs* costs, struct page_use page, struct page_use leaves,
                                       bool leaves_dirty, int64_t* cycles) {
  const enum hybrid_error error = utility_check(costs);
  if (error != HYBRID_OK) return error;
  if (cycles == NULL) return HYBRID_NULL;
  if (!is_countable(page) || !is_countable(leaves)) return HYBRID_RANGE;
  *cycles = saved(costs, (int64_t)page.reads - leaves.reads, (int64_t)page.writes - leaves.writes) -
            (int64_t)costs->migrate - (leaves_dirty ? (int64_t)costs->write_back : 0);
  return HYBRID_OK;
}

enum hybrid_error utility_write_weight(const struct utility_costs* costs, uint32_t greatest, uint32_t* weight) {
  const enum hybrid_error error = utility_check(costs);
  if (error != HYBRID_OK) return error;
  if (weight == NULL) return HYBRID_NULL;
  if (greatest < 1) return HYBRID_RANGE;
  const uint64_t read = costs->nvm_read - costs->dram_read, write = costs->nvm_write - costs->dram_write;
  const uint64_t ratio = read == 0 ? greatest : (2 * write + read) / (2 * read);
  *weight = (uint32_t)(ratio < 1 ? 1 : ratio > greatest ? greatest : ratio);
  return HYBRID_OK;
}

enum hybrid_error utility_least_count(const struct utility_costs* costs, int64_t threshold, uint32_t greatest,
                                      uint32_t* count) {
  const enum hybrid_error error = utility_check(costs);
  if (error != HYBRID_OK) return error;
  if (count == NULL) return HYBRID_NULL;
  if (threshold < 0 || threshold > INT64_MAX / 2) return HYBRID_RANGE;
  const int64_t read = (int64_t)costs->nvm_read - costs->dram_read;
  if (read == 0) return HYBRID_RANGE;
  const int64_t least = (threshold + costs->migrate) / read + 1;
  if (least > greatest) return HYBRID_RANGE;
  *count = (uint32_t)least;
  return HYBRID_OK;
}

enum hybrid_error utility_threshold_update(struct utility_threshold* threshold, uint32_t swaps) {
  if (threshold == NULL) return HYBRID_NULL;
  if (threshold->cycles < 0 || threshold->step < 0 || threshold->greatest < threshold->cycles) return HYBRID_RANGE;
  if (swaps > threshold->swaps_tolerated) {
    const int64_t room = threshold->greatest - threshold->cycles;
    threshold->cycles += threshold->step < room ? threshold->step : room;
  } else {
    threshold->cycles -= threshold->step < threshold->cycles ? threshold->step : threshold->cycles;
  }
  return HYBRID_OK;
}

enum hybrid_error utility_interval_update(struct utility_interval* interval, uint32_t found, uint32_t redirected,
                                          uint32_t home) {
  if (interval == NULL) return HYBRID_NULL;
  if (interval->cycles == 0 || interval->cycles > interval->greatest) return HYBRID_RANGE;
  if (found != 0 || home <= redirected) return HYBRID_OK;
  const uint32_t room = interval->greatest - interval->cycles;
  interval->cycles += interval->cycles < room ? interval->cycles : room;
  return HYBRID_OK;
}
