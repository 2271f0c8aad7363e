/* SPDX-License-Identifier: Apache-2.0 */
/** Tells two levels apart in a list of times. */
#ifndef MAPDETECT_LEVELS_H
#define MAPDETECT_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

/** Sorts `values` and splits them at the highest of the widest gaps: where rows are closed after a time there is a
 * third level, of rows that are open, below the one of rows that are not.
 * @param low the greatest value below the gap
 * @param high the median of those above it
 * @return false if there are no two levels: less than 1/64 of `low` apart, or the values above the gap are as far apart
 */
bool levels_split(uint64_t* values, unsigned count, uint64_t* low, uint64_t* high);

#endif
