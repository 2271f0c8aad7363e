/* SPDX-License-Identifier: Apache-2.0 */
/** The measurements of a plan, one after the other, into the report. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

#include "plan.h"

/** Memory that the harts work on. That of hart h begins h spacings after that of hart 0, in bytes. */
struct places {
  uintptr_t chase; /**< for latency */
  uint64_t chase_spacing;
  uintptr_t buffer; /**< for bandwidth */
  uint64_t buffer_spacing;
};

/** Measures by one hart and, where there are more, by `harts` at once. */
void measure(const struct plan* plan, unsigned harts, struct places where, uint64_t clock_megahertz);

#endif
