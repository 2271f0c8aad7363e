/* SPDX-License-Identifier: Apache-2.0 */
/** Pointer chase: loads of which each needs the one before. */
#ifndef LATENCY_H
#define LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "plan.h"

/** Lays a chain of pointers over the footprint, in pseudo-random order, and follows it.
 * @param cycles_x100 cycles of a load, times 100
 * @return whether the chase ended where it must */
bool chase(uintptr_t base, struct latency_point point, uint64_t* cycles_x100);

#endif
