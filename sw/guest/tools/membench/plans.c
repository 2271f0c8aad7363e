// SPDX-License-Identifier: Apache-2.0
// Rocket's data cache holds 4 KiB and a page of Linux as much, so that no stride within DRAM rows means anything here.
#include "plans.h"

#define KIB 1024u
#define MIB (1024u * KIB)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct latency_point latency[] = {
    {2 * KIB, 64}, {8 * KIB, 64}, {64 * KIB, 64}, {256 * KIB, 64}, {4 * MIB, 4 * KIB},
};
static const struct latency_point loaded[] = {{2 * KIB, 64}, {64 * KIB, 64}, {1 * MIB, 4 * KIB}};
static const uint32_t sequential[] = {16 * KIB, 128 * KIB};
static const uint32_t random[] = {32 * KIB, 128 * KIB, 1 * MIB};

const struct plan plan_usual = {latency,    COUNT(latency),    loaded, COUNT(loaded),
                                sequential, COUNT(sequential), random, COUNT(random)};

// One point of each kind: some million cycles.
const struct plan plan_quick = {latency, 2, loaded, 1, sequential, 1, random, 1};
