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

/** Where the byte at `offset` of the memory that is read lies for this program. */
typedef uintptr_t (*probe_address)(uint64_t offset);

/** Chooses a base by chance within `bytes` bytes, a power of two, such that reads leave alone the lines in which the
 * probe's own variables lie, and gives the addresses of the reads. */
void probe_choose(const struct reads* reads, uint64_t bytes, probe_address address, uintptr_t* addresses);

/** Ticks of `clock` that `rounds` rounds take, after some that bring the rows into their usual state. */
uint64_t probe_time(const uintptr_t* addresses, unsigned count, unsigned rounds, enum probe_clock clock);

/** As machine.watch, by the register `cycle`. */
void probe_watch(const uintptr_t* addresses, const struct watch* watch, struct coincidences* seen);

#endif
