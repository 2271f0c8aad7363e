// SPDX-License-Identifier: Apache-2.0
// Join of two tables: the rows of the smaller one go into a hash table, those of the larger one look their key up
// there.
#include "random.h"
#include "workload.h"

enum { PROBES_PER_ROW = 4, SLOTS_PER_ROW = 2, EMPTY = 0 };

struct row {
  uint32_t key;  // never EMPTY
  uint32_t payload;
};

static struct row *build_side, *slots;
static uint32_t* probe_side;
static struct {
  uint64_t matches, payloads;
} joined;

// A different key for each number: an odd factor permutes the numbers modulo 2^31, and the lowest bit keeps it from 0.
static uint32_t key_of(uint64_t number) { return (uint32_t)(number * 0x2545f491u << 1 | 1); }

static uint32_t payload_of(const struct settings* settings, uint64_t number) {
  return (uint32_t)mix(settings->seed + number);
}

// Which key probe i looks for: half of them are on the build side.
static uint64_t probed(const struct settings* settings, uint64_t i) {
  return random_below(mix(~settings->seed + i), 2 * settings->size);
}

static void prepare(const struct settings* settings) {
  const uint64_t rows = settings->size;
  build_side = take(rows * sizeof *build_side);
  slots = take(rows * SLOTS_PER_ROW * sizeof *slots);
  probe_side = take(rows * PROBES_PER_ROW * sizeof *probe_side);
  for (uint64_t i = 0; i < rows; ++i) build_side[i] = (struct row){key_of(i), payload_of(settings, i)};
  for (uint64_t i = 0; i < rows * PROBES_PER_ROW; ++i) probe_side[i] = key_of(probed(settings, i));
}

// Fibonacci hashing (Knuth): the upper bits of a product.
static uint64_t slot_of(uint32_t key, uint64_t mask) { return (key * (uint64_t)0x9e3779b97f4a7c15u >> 32) & mask; }

static void join(uint64_t rows) {
  const uint64_t mask = rows * SLOTS_PER_ROW - 1;
  for (uint64_t i = 0; i <= mask; ++i) slots[i].key = EMPTY;
  for (uint64_t i = 0; i < rows; ++i) {
    uint64_t slot = slot_of(build_side[i].key, mask);
    while (slots[slot].key != EMPTY) slot = (slot + 1) & mask;
    slots[slot] = build_side[i];
  }
  for (uint64_t i = 0; i < rows * PROBES_PER_ROW; ++i) {
    uint64_t slot = slot_of(probe_side[i], mask);
    while (slots[slot].key != EMPTY && slots[slot].key != probe_side[i]) slot = (slot + 1) & mask;
    if (slots[slot].key != EMPTY) {
      ++joined.matches;
      joined.payloads += slots[slot].payload;
    }
  }
}

static struct work run(const struct settings* settings) {
  for (uint64_t i = 0; i < settings->iterations; ++i) join(settings->size);
  const uint64_t rows = settings->size * settings->iterations;
  const uint64_t of_build = (2 + SLOTS_PER_ROW) * sizeof(struct row);
  const uint64_t of_probe = PROBES_PER_ROW * (sizeof *probe_side + sizeof(struct row));
  return (struct work){rows * (1 + PROBES_PER_ROW), rows * (of_build + of_probe)};
}

static struct result result(const struct settings* settings) {
  (void)settings;
  return (struct result){&joined, sizeof joined};
}

// Which probes find a row, and which one, is known without the tables.
static bool check(const struct settings* settings) {
  uint64_t matches = 0, payloads = 0;
  for (uint64_t i = 0; i < settings->size * PROBES_PER_ROW; ++i) {
    const uint64_t number = probed(settings, i);
    if (number < settings->size) ++matches, payloads += payload_of(settings, number);
  }
  return joined.matches == matches * settings->iterations && joined.payloads == payloads * settings->iterations;
}

const struct workload hashjoin = {
    .name = "hashjoin",
    .summary = "build of a hash table from one table's rows, 4 times as many probes from another's, half of which hit",
    .size_unit = "rows of the smaller table",
    .operation = "row built in or probed",
    .size = {1 << 15, 1 << 11, 1, 1 << 24},
    .iterations = {1, 1, 1, 1 << 20},
    .power_of_two = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
