// SPDX-License-Identifier: Apache-2.0
// The plan of `make soc`. Rocket's data cache holds 4 KiB, a DRAM row 8 KiB of consecutive addresses.
#include "plan.h"

#define KIB 1024u
#define MIB (1024u * KIB)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct latency_point latency[] = {
    // Random order over consecutive cache lines.
    {1 * KIB, 64},
    {2 * KIB, 64},
    {4 * KIB, 64},
    {8 * KIB, 64},
    {16 * KIB, 64},
    {64 * KIB, 64},
    {256 * KIB, 64},
    // Strides: within a row, a row of the next bank each, a row of the other rank, the next row of the same bank.
    {64 * KIB, 256},
    {512 * KIB, 1 * KIB},
    {4 * MIB, 8 * KIB},
    {32 * MIB, 64 * KIB},
    {64 * MIB, 128 * KIB},
};

static const struct latency_point loaded[] = {
    {4 * KIB, 64},
    {64 * KIB, 64},
    {4 * MIB, 8 * KIB},
};

static const uint32_t sequential[] = {16 * KIB, 128 * KIB};

// 128 KiB is one row of every bank of both ranks: all stay open. 4 MiB is 32 rows of each.
static const uint32_t random[] = {128 * KIB, 4 * MIB};

const struct plan plan = {latency,    COUNT(latency),    loaded, COUNT(loaded),
                          sequential, COUNT(sequential), random, COUNT(random)};
