/* SPDX-License-Identifier: Apache-2.0 */
/** Orders and contents that can be checked without having been stored. */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdint.h>

/** A walk in pseudo-random order that comes to each of `count` (a power of two) places once and then begins anew: the
 * successor of place i. A linear congruential generator modulo 2^k has its full period where the multiplier is 1 modulo
 * 4 and the increment odd (Hull and Dobell). */
static inline uint64_t walk_next(uint64_t i, uint64_t count) {
  // Multiplier 133 from shifts: Rocket's multiplier would take a good part of a memory access.
  return (i + (i << 2) + (i << 7) + 0x3c6ef373u) & (count - 1);
}

#define WORD_STEP 0x9e3779b97f4a7c15u

/** What word i of a buffer filled with `seed` holds. */
static inline uint64_t word_value(uint64_t i, uint64_t seed) { return seed + i * WORD_STEP; }

/** Sum of the first `count` words of such a buffer, modulo 2^64. */
static inline uint64_t word_sum(uint64_t count, uint64_t seed) {
  return count * seed + (count & 1 ? count * ((count - 1) / 2) : count / 2 * (count - 1)) * WORD_STEP;
}

#endif
