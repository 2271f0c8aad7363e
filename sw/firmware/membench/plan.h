/* SPDX-License-Identifier: Apache-2.0 */
/** What is measured: a build links one of the plan_*.c. */
#ifndef PLAN_H
#define PLAN_H

#include <stddef.h>
#include <stdint.h>

struct latency_point {
  uint32_t footprint; /**< bytes; a power of two times the stride */
  uint32_t stride;    /**< bytes between neighbours; a multiple of 8 */
};

struct plan {
  const struct latency_point* latency; /**< for one hart */
  size_t latencies;
  const struct latency_point* loaded; /**< for all harts at once */
  size_t loadeds;
  const uint32_t* sequential; /**< footprints of a hart in bytes, powers of two; for one hart and for all at once */
  size_t sequentials;
  const uint32_t* random; /**< likewise */
  size_t randoms;
};

extern const struct plan plan;

#endif
