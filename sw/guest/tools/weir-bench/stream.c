// SPDX-License-Identifier: Apache-2.0
// Copy, scale, add and triad over three long vectors, after McCalpin's STREAM, in integers modulo 2^64.
#include "pieces.h"
#include "random.h"
#include "threads.h"
#include "workload.h"

enum { FACTOR = 3, VECTORS = 3, WORDS_MOVED = 2 + 2 + 3 + 3 };
enum { COPY, SCALE, ADD, TRIAD, KERNELS };

static uint64_t *a, *b, *c;

static uint64_t length(const struct settings* settings) { return settings->size / VECTORS / sizeof(uint64_t); }

static void prepare(const struct settings* settings) {
  const uint64_t bytes = length(settings) * sizeof(uint64_t);
  a = take(bytes), b = take(bytes), c = take(bytes);
  for (uint64_t i = 0; i < length(settings); ++i) a[i] = mix(settings->seed + i);
}

// Each thread works on its own part of the vectors, and meets the others only so that all do the same kernel.
static void kernels(struct thread thread, const void* argument) {
  const struct settings* settings = argument;
  const uint64_t begin = share(thread, length(settings)), end = share_end(thread, length(settings));
  struct pieces pieces = pieces_begin(thread, (end - begin) * KERNELS * settings->iterations);
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration)
    for (int kernel = 0; kernel < KERNELS; ++kernel) {
      threads_meet(thread);
      for (uint64_t i = begin; i < end;) {
        const uint64_t stop = i + pieces_next(&pieces, end - i);
        switch (kernel) {
          case COPY:
            for (; i < stop; ++i) c[i] = a[i];
            break;
          case SCALE:
            for (; i < stop; ++i) b[i] = FACTOR * c[i];
            break;
          case ADD:
            for (; i < stop; ++i) c[i] = a[i] + b[i];
            break;
          case TRIAD:
            for (; i < stop; ++i) a[i] = b[i] + FACTOR * c[i];
            break;
        }
      }
    }
  pieces_end(&pieces);
}

static struct work run(const struct settings* settings) {
  threads_run(settings->threads, kernels, settings);
  const uint64_t elements = length(settings) * settings->iterations;
  return (struct work){elements * KERNELS, elements * WORDS_MOVED * sizeof(uint64_t)};
}

static struct result result(const struct settings* settings) {
  return (struct result){a, length(settings) * sizeof(uint64_t)};
}

// An iteration multiplies a by s + s (1 + s), and leaves s a and (1 + s) a of the a before it in b and c.
static bool check(const struct settings* settings) {
  uint64_t before = 1;
  for (uint64_t i = 1; i < settings->iterations; ++i) before *= FACTOR + FACTOR * (1 + FACTOR);
  for (uint64_t i = 0; i < length(settings); ++i) {
    const uint64_t old = before * mix(settings->seed + i);
    if (a[i] != old * (FACTOR + FACTOR * (1 + FACTOR)) || b[i] != old * FACTOR || c[i] != old * (1 + FACTOR))
      return false;
  }
  return true;
}

const struct workload stream = {
    .name = "stream",
    .summary = "copy, scale, add and triad over three long vectors of 64-bit integers",
    .size_unit = "bytes of the three vectors",
    .operation = "element written",
    .size = {3 << 20, 96 << 10, 1 << 10, 1 << 30},
    .iterations = {4, 2, 1, 1 << 20},
    .parallel = true,
    .pieces = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
