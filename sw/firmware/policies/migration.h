/* SPDX-License-Identifier: Apache-2.0 */
/** The two policies that move pages, as steps that are called between accesses. */
#ifndef MIGRATION_H
#define MIGRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "utility.h"

struct migration_counts {
  uint32_t promoted, evicted, refused;  ///< pages; commands that the controller refused
  uint32_t intervals, least_count;      ///< ended; count of a page that is worth a move, at the end
};

/** The superpages that are looked at and the frames that there are, none of them in use. HYBRID_RANGE if they are too
 * many. */
enum hybrid_error migration_prepare(uint32_t first_superpage, uint32_t count, uint32_t first_frame, uint32_t frames);

/** Begins with the first interval: pages by utility, or superpages as a whole, the hottest ones until no frame is free.
 * @return HYBRID_COSTS if by these costs nothing is worth a move */
enum hybrid_error migration_start(bool superpages, const struct utility_costs* costs, uint32_t interval);

/** Does what there is to do, and no more than a few register accesses if there is nothing. */
void migration_step(void);

/** Waits for the moves that were given, and has all that lives in DRAM written home. @return whether it was */
bool migration_flush(void);

/** Waits for the moves that were given. */
struct migration_counts migration_end(void);

#endif
