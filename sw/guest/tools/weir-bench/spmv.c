// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector, again and again, in integers modulo 2^64.
#include "pieces.h"
#include "random.h"
#include "threads.h"
#include "workload.h"

enum { ENTRIES_PER_ROW = 8 };

static uint32_t *columns, *values;  // of row r: those from r * ENTRIES_PER_ROW on
static uint64_t *from, *to;

static uint64_t first_vector(const struct settings* settings, uint64_t row) { return mix(settings->seed + row); }

static void prepare(const struct settings* settings) {
  const uint64_t rows = settings->size, entries = rows * ENTRIES_PER_ROW;
  columns = take(entries * sizeof *columns);
  values = take(entries * sizeof *values);
  from = take(rows * sizeof *from);
  to = take(rows * sizeof *to);
  uint64_t number = random_start(settings->seed);
  for (uint64_t i = 0; i < entries; ++i, number = random_next(number)) {
    columns[i] = (uint32_t)random_below(number, rows);
    values[i] = (uint32_t)number | 1;
  }
  for (uint64_t row = 0; row < rows; ++row) from[row] = first_vector(settings, row);
}

static void multiply(struct thread thread, const void* argument) {
  const struct settings* settings = argument;
  const uint64_t begin = share(thread, settings->size), end = share_end(thread, settings->size);
  const uint64_t* source = from;
  uint64_t* target = to;
  struct pieces pieces = pieces_begin(thread, (end - begin) * settings->iterations);
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration) {
    const uint32_t* column = columns + begin * ENTRIES_PER_ROW;
    const uint32_t* value = values + begin * ENTRIES_PER_ROW;
    for (uint64_t row = begin; row < end;) {
      for (const uint64_t until = row + pieces_next(&pieces, end - row); row < until; ++row) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < ENTRIES_PER_ROW; ++i) sum += *value++ * source[*column++];
        target[row] = sum;
      }
    }
    threads_meet(thread);
    uint64_t* const done = target;
    target = (uint64_t*)source;
    source = done;
  }
  pieces_end(&pieces);
}

static struct work run(const struct settings* settings) {
  threads_run(settings->threads, multiply, settings);
  const uint64_t rows = settings->size * settings->iterations, entries = rows * ENTRIES_PER_ROW;
  const uint64_t of_entry = sizeof *columns + sizeof *values + sizeof *from;
  return (struct work){entries, entries * of_entry + rows * sizeof *to};
}

static uint64_t* product(const struct settings* settings) { return settings->iterations % 2 ? to : from; }

static struct result result(const struct settings* settings) {
  return (struct result){product(settings), settings->size * sizeof(uint64_t)};
}

// w (A^n x) = ((A^T)^n w) x, where the transposed product scatters what the other one gathers. The weights w are odd,
// so that no wrong element of the product can hide.
static bool check(const struct settings* settings) {
  const uint64_t rows = settings->size;
  uint64_t *weights = take(rows * sizeof *weights), *next = take(rows * sizeof *next);
  uint64_t sum = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    weights[row] = mix(~settings->seed + row) | 1;
    sum += weights[row] * product(settings)[row];
  }
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration) {
    for (uint64_t row = 0; row < rows; ++row) next[row] = 0;
    for (uint64_t i = 0; i < rows * ENTRIES_PER_ROW; ++i) next[columns[i]] += values[i] * weights[i / ENTRIES_PER_ROW];
    uint64_t* const done = next;
    next = weights;
    weights = done;
  }
  for (uint64_t row = 0; row < rows; ++row) sum -= weights[row] * first_vector(settings, row);
  return sum == 0;
}

const struct workload spmv = {
    .name = "spmv",
    .summary = "a sparse integer matrix, 8 entries in each row, times a vector",
    .size_unit = "rows",
    .operation = "multiplication and addition",
    .size = {1 << 15, 1 << 10, 1, 1 << 24},
    .iterations = {2, 2, 1, 1 << 20},
    .parallel = true,
    .pieces = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
