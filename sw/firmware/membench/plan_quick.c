// SPDX-License-Identifier: Apache-2.0
// The plan of the tests: one point of each kind.
#include "plan.h"

#define KIB 1024u

static const struct latency_point latency[] = {{2 * KIB, 64}, {8 * KIB, 64}};
static const struct latency_point loaded[] = {{8 * KIB, 64}};
static const uint32_t sequential[] = {8 * KIB};
static const uint32_t random[] = {64 * KIB};

const struct plan plan = {latency, 2, loaded, 1, sequential, 1, random, 1};
