/* SPDX-License-Identifier: Apache-2.0 */
/** Work for several harts at once. */
#ifndef HARTS_H
#define HARTS_H

#include <generated/soc.h>
#include <stdint.h>

#define HARTS CONFIG_CPU_COUNT

/** Bytes of a cache line: what two harts write must not share one. */
#define CACHE_LINE 64

/** Work of one hart; `argument` is the same for all. */
typedef void (*hart_work)(unsigned hart, void* argument);

/** Runs `work` on harts 0 to count - 1, from about the same cycle, and returns when all are done. For hart 0 only.
 * Harts without work spin in their own cache and do not touch memory. */
void harts_run(unsigned count, hart_work work, void* argument);

/** Cycles since reset. All harts count alike, as none of them ever sleeps. */
static inline uint64_t cycles(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, mcycle" : "=r"(value)::"memory");
  return value;
}

#endif
