/* SPDX-License-Identifier: Apache-2.0 */
/** What the words of the workload must hold, computed anew beside the memory under test. */
#ifndef SUMS_H
#define SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "places.h"
#include "workload.h"

/** The word of an access in the memory under test. */
static inline volatile uint64_t* word_of(const struct workload* workload, struct access access) {
  const uint32_t place = access.page < workload->dram_pages ? WORKLOAD_IN_DRAM : WORKLOAD_IN_NVM;
  return (volatile uint64_t*)ADDRESS(place + access.superpage * (2 * MIB) + access.page * 4096 + access.line * 64);
}

/** Whether a word names the line that it lies in. */
static inline bool is_tagged(uint64_t value, struct access access) {
  return (uint32_t)(value >> 32) == workload_tag(access.superpage, access.page, access.line);
}

/** Sums of all that the workload adds. */
void sums_replay(const struct workload* workload);

/** Words that are not what they must be: all of hot pages, and those of cold pages that were written. */
uint32_t sums_check(const struct workload* workload, uint32_t* checked);

/** The same of memory that was cut off from power somewhere after the first `kept` accesses, all of which it must hold:
 * a word may be as after those, or as after any later access to it. All words of hot pages, one of each cold page. */
uint32_t sums_check_cut(const struct workload* workload, uint32_t kept, uint32_t* checked);

#endif
