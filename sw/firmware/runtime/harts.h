/* SPDX-License-Identifier: Apache-2.0 */
/** Work for several harts at once. */
#ifndef HARTS_H
#define HARTS_H

#include <generated/soc.h>
#include <stdint.h>

/* LiteX says it of the CPUs that there can be several of. */
#ifdef CONFIG_CPU_COUNT
#define HARTS CONFIG_CPU_COUNT
#else
#define HARTS 1
#endif

/** Bytes of a line of the harts' data caches: what two harts write must not share one. */
#ifdef CONFIG_CPU_TYPE_VEXRISCV
#define CACHE_LINE 32
#else
#define CACHE_LINE 64
#endif

/** Work of one hart; `argument` is the same for all. */
typedef void (*hart_work)(unsigned hart, void* argument);

/** Runs `work` on harts 0 to count - 1, from about the same cycle, and returns when all are done. For hart 0 only.
 * Harts without work spin in their own cache and do not touch memory. */
void harts_run(unsigned count, hart_work work, void* argument);

#ifdef CONFIG_CPU_TYPE_VEXRISCV

/** Cycles since the first call, which wrap after 2^32: of LiteX's timer, as VexRiscv's variant `linux` has no counters.
 */
uint64_t cycles(void);

#else

/** Cycles since reset. All harts count alike, as none of them ever sleeps. */
static inline uint64_t cycles(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, mcycle" : "=r"(value)::"memory");
  return value;
}

#endif
#endif
