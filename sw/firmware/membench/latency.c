// SPDX-License-Identifier: Apache-2.0
#include "latency.h"

#include "harts.h"
#include "sequence.h"

// Enough for a mean over rows, banks and refreshes, few enough to simulate.
#define STEPS 1024u
#define UNROLL 8u

#if __riscv_xlen == 64
#define LOAD "ld %0, 0(%0)\n"
#else
#define LOAD "lw %0, 0(%0)\n"
#endif

bool chase(uintptr_t base, struct latency_point point, uint64_t* cycles_x100) {
  const uint32_t count = point.footprint / point.stride;
  for (uint32_t i = 0; i < count; ++i)
    *(uintptr_t*)(base + i * point.stride) = base + (uint32_t)walk_next(i, count) * point.stride;

  // A footprint that fits into the cache is to be found there; a larger one gains nothing from this.
  uint64_t place = 0;
  const uintptr_t* volatile* node = (const uintptr_t* volatile*)base;
  for (uint64_t step = 0; step < CACHE_LINE; ++step) {
    node = (const uintptr_t* volatile*)*node;
    place = walk_next(place, count);
  }

  const uint64_t start = cycles();
  for (uint64_t step = 0; step < STEPS; step += UNROLL)
    __asm__ volatile(LOAD LOAD LOAD LOAD LOAD LOAD LOAD LOAD : "+r"(node)::"memory");
  *cycles_x100 = (cycles() - start) * 100 / STEPS;

  for (uint64_t step = 0; step < STEPS; ++step) place = walk_next(place, count);
  return (uintptr_t)node == base + place * point.stride;
}
