/* SPDX-License-Identifier: Apache-2.0 */
/** What the measurements ask of the machine, as sw/firmware/runtime/harts.h has it for bare metal: here on Linux. */
#ifndef HARTS_H
#define HARTS_H

#include <stdint.h>

/** The most harts there can be. */
#define HARTS 64

/** Bytes of a cache line: what two harts write must not share one. */
#define CACHE_LINE 64

/** Work of one hart; `argument` is the same for all. */
typedef void (*hart_work)(unsigned hart, void* argument);

/** Harts that this process may run on. */
unsigned harts_allowed(void);

/** Runs `work` on `count` of them, in a thread each that stays there, from about the same cycle, and returns when all
 * are done. */
void harts_run(unsigned count, hart_work work, void* argument);

/** Cycles of the harts' clock for a tick of `time`, as which they are counted: the `cycle` register stops while a hart
 * waits for an interrupt, and Linux does not let programs read it. */
#define CYCLES_PER_TICK 100

/** Cycles since reset, in steps of CYCLES_PER_TICK. */
static inline uint64_t cycles(void) {
  uint64_t value;
  __asm__ volatile("rdtime %0" : "=r"(value)::"memory");
  return value * CYCLES_PER_TICK;
}

#endif
