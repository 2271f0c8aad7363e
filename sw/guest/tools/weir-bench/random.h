/* SPDX-License-Identifier: Apache-2.0 */
/** Pseudo-random numbers. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/** Finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection whose output bits all depend on all input bits. */
static inline uint64_t mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

/** A first state for random_next(): never 0. */
static inline uint64_t random_start(uint64_t seed) { return mix(seed) | 1; }

/** The next state, which is the number as well: xorshift64 (Marsaglia 2003), made of shifts since Rocket's multiplier
 * is slow. */
static inline uint64_t random_next(uint64_t state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^ state << 17;
}

/** A number below `limit` (at most 2^32) from the upper half of a random one. */
static inline uint64_t random_below(uint64_t random, uint64_t limit) { return (random >> 32) * limit >> 32; }

/** Puts the numbers below `count` into a random order (Fisher and Yates).
 * @param number the state of the random numbers; @return that after it */
static inline uint64_t random_order(uint32_t* order, uint64_t count, uint64_t number) {
  for (uint64_t i = 0; i < count; ++i) order[i] = (uint32_t)i;
  for (uint64_t i = count - 1; i > 0; --i, number = random_next(number)) {
    const uint64_t other = random_below(number, i + 1);
    const uint32_t swapped = order[i];
    order[i] = order[other];
    order[other] = swapped;
  }
  return number;
}

#endif
