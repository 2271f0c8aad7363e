/* SPDX-License-Identifier: Apache-2.0 */
/** Which functions are of ranks: a refresh closes all rows of one rank, so that banks of a rank are slow together. */
#ifndef MAPDETECT_RANKS_H
#define MAPDETECT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "conflicts.h"

/** Finds the sums of `functions`, which are in echelon form by their lowest bits, that no two banks of a rank differ
 * in.
 * @param ranks room for as many masks as there are functions
 * @return false if it cannot be told: RANKS_UNKNOWN */
bool ranks_find(struct conflicts* conflicts, const uint64_t* functions, unsigned count, uint64_t* ranks,
                unsigned* rank_count);

#endif
