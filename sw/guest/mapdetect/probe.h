/* SPDX-License-Identifier: Apache-2.0 */
/** Reads of memory by a hart, and their times. */
#ifndef MAPDETECT_PROBE_H
#define MAPDETECT_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "detect.h"

/** Bytes of a line of the caches, and address bits that choose the set of Rocket's data cache of 4 KiB. */
#define PROBE_FIRST_BIT 6
#define PROBE_SET_BITS UINT64_C(0xfc0)

/** The register by which reads are timed: `cycle`, or `time` where programs may not read that. */
enum probe_clock { PROBE_CYCLE, PROBE_TIME };

/** Whether reads of `addresses` leave alone the lines in which the probe's own variables lie. */
bool probe_fits(const uintptr_t* addresses, unsigned count);

/** Ticks of `clock` that `rounds` rounds take, after some that bring the rows into their usual state. */
uint64_t probe_time(const uintptr_t* addresses, unsigned count, unsigned rounds, enum probe_clock clock);

/** As machine.watch, by the register `cycle`. */
void probe_watch(const uintptr_t* addresses, const struct watch* watch, struct coincidences* seen);

#endif
