// SPDX-License-Identifier: Apache-2.0
// Each cell of a square grid becomes the sum of itself and its four neighbours; the grid closes at its edges. Two
// buffers, integers modulo 2^64.
#include "threads.h"
#include "workload.h"

static uint64_t *from, *to;

// 5 generates a group of 2^62 numbers modulo 2^64, so that a power of two as `order` has an element of that order.
static uint64_t root_of_unity(uint64_t order) {
  uint64_t root = 5;
  for (uint64_t power = (uint64_t)1 << 62; power > order; power /= 2) root *= root;
  return root;
}

// The same for the grid's two directions but for the cube, which is as good a generator; odd, as is the seed's factor.
static uint64_t root_of_rows(uint64_t edge) {
  const uint64_t root = root_of_unity(edge);
  return root * root * root;
}

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent /= 2, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

static void fill(const struct settings* settings, uint64_t* grid, uint64_t factor) {
  const uint64_t edge = settings->size, of_columns = root_of_unity(edge), of_rows = root_of_rows(edge);
  uint64_t row_value = factor * (2 * settings->seed + 1);
  for (uint64_t y = 0; y < edge; ++y, row_value *= of_rows) {
    uint64_t value = row_value;
    for (uint64_t x = 0; x < edge; ++x, value *= of_columns) grid[y * edge + x] = value;
  }
}

static void prepare(const struct settings* settings) {
  from = take(settings->size * settings->size * sizeof *from);
  to = take(settings->size * settings->size * sizeof *to);
  fill(settings, from, 1);
}

static void steps(struct thread thread, const void* argument) {
  const struct settings* settings = argument;
  const uint64_t edge = settings->size, begin = share(thread, edge), end = share_end(thread, edge);
  uint64_t *source = from, *target = to;
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration) {
    for (uint64_t y = begin; y < end; ++y) {
      const uint64_t* row = source + y * edge;
      const uint64_t* above = source + ((y + edge - 1) & (edge - 1)) * edge;
      const uint64_t* below = source + ((y + 1) & (edge - 1)) * edge;
      uint64_t* out = target + y * edge;
      out[0] = row[0] + row[edge - 1] + row[1] + above[0] + below[0];
      for (uint64_t x = 1; x < edge - 1; ++x) out[x] = row[x] + row[x - 1] + row[x + 1] + above[x] + below[x];
      out[edge - 1] = row[edge - 1] + row[edge - 2] + row[0] + above[edge - 1] + below[edge - 1];
    }
    threads_meet(thread);
    uint64_t* const done = target;
    target = source;
    source = done;
  }
}

static struct work run(const struct settings* settings) {
  threads_run(settings->threads, steps, settings);
  const uint64_t cells = settings->size * settings->size * settings->iterations;
  return (struct work){cells, cells * 2 * sizeof(uint64_t)};
}

static uint64_t* last(const struct settings* settings) { return settings->iterations % 2 ? to : from; }

static struct result result(const struct settings* settings) {
  return (struct result){last(settings), settings->size * settings->size * sizeof(uint64_t)};
}

// The first grid is g^x h^y with roots of unity g and h, an eigenvector of the stencil: a step multiplies it by
// 1 + g + 1/g + h + 1/h.
static bool check(const struct settings* settings) {
  const uint64_t edge = settings->size, g = root_of_unity(edge), h = root_of_rows(edge);
  const uint64_t eigenvalue = 1 + g + power(g, edge - 1) + h + power(h, edge - 1);
  const uint64_t* grid = last(settings);
  uint64_t* expected = grid == from ? to : from;
  fill(settings, expected, power(eigenvalue, settings->iterations));
  bool right = true;
  for (uint64_t i = 0; i < edge * edge; ++i) right &= grid[i] == expected[i];
  return right;
}

const struct workload stencil = {
    .name = "stencil",
    .summary = "sums of each cell and its four neighbours, from one grid of 64-bit integers into another",
    .size_unit = "cells of the grid's edge",
    .operation = "cell",
    .size = {1 << 9, 1 << 6, 2, 1 << 13},
    .iterations = {4, 4, 1, 1 << 20},
    .power_of_two = true,
    .parallel = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
