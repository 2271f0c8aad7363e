/* SPDX-License-Identifier: Apache-2.0 */
/** What accesses and moves take, as hart 0 sees them while nobody else uses memory. */
#ifndef LATENCIES_H
#define LATENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "utility.h"

/** Measures the costs of equations 1 and 2, in cycles; remapping is enabled, with frame `frame` free. */
struct utility_costs measure_costs(uint32_t frame);

/** Measures reads on each path that there is, checks by the controller's counters that they took it, and prints a row
 * for each. Remapping is disabled before and after. @return how many did not take their path */
unsigned measure_paths(bool pointer_table);

#endif
