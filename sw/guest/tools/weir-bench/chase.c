// SPDX-License-Identifier: Apache-2.0
// Loads of which each needs the one before: a random cycle through all cache lines of a buffer. Threads share
// the loads, and follow the same cycle from places equally far apart.
#include <time.h>

#include "pieces.h"
#include "random.h"
#include "threads.h"
#include "workload.h"

enum { LINE_BYTES = 64, HOPS_BETWEEN_LOOKS = 1024 };

struct line {
  struct line* next;
  char rest[LINE_BYTES - sizeof(struct line*)];
};

static struct line* lines;
static uint32_t* order;                // the lines in the order of the cycle
static struct line* at[MOST_THREADS];  // where each thread has come
static uint64_t hops[MOST_THREADS];    // in so many

static uint64_t count_of(const struct settings* settings) { return settings->size / LINE_BYTES; }

// The lines are put into a random order, and the cycle follows it.
static void prepare(const struct settings* settings) {
  const uint64_t count = count_of(settings);
  lines = take(settings->size);
  order = take(count * sizeof *order);
  random_order(order, count, random_start(settings->seed));
  for (uint64_t i = 0; i < count; ++i) lines[order[i]].next = &lines[order[i + 1 == count ? 0 : i + 1]];
}

static struct line* follow(struct line* line, uint64_t steps) {
  for (uint64_t i = 0; i < steps; ++i) {
    line = line->next;
    __asm__ volatile("" : "+r"(line));
  }
  return line;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void hop(struct thread thread, const void* argument) {
  const struct settings* settings = argument;
  struct line* line = &lines[order[share(thread, count_of(settings))]];
  uint64_t made = 0;
  threads_meet(thread);
  if (settings->seconds) {
    const uint64_t end = now() + settings->seconds * 1000000000u;
    for (; now() < end; made += HOPS_BETWEEN_LOOKS) line = follow(line, HOPS_BETWEEN_LOOKS);
  } else {
    const uint64_t all = count_of(settings) * settings->iterations;
    made = share_end(thread, all) - share(thread, all);
    struct pieces pieces = pieces_begin(thread, made);
    for (uint64_t left = made; left;) {
      const uint64_t some = pieces_next(&pieces, left);
      line = follow(line, some);
      left -= some;
    }
    pieces_end(&pieces);
  }
  at[thread.number] = line;
  hops[thread.number] = made;
}

static struct work run(const struct settings* settings) {
  threads_run(settings->threads, hop, settings);
  uint64_t all = 0;
  for (uint64_t i = 0; i < settings->threads; ++i) all += hops[i];
  return (struct work){all, all * LINE_BYTES};
}

static struct result result(const struct settings* settings) {
  return (struct result){at, settings->threads * sizeof *at};
}

// The order has each line once, and says where so many hops end.
static bool check(const struct settings* settings) {
  const uint64_t count = count_of(settings);
  bool right = true;
  for (uint64_t i = 0; i < settings->threads; ++i)
    right &= at[i] == &lines[order[(share((struct thread){i, settings->threads}, count) + hops[i]) % count]];
  for (uint64_t i = 0; i < count; ++i) lines[i].rest[0] = 0;
  for (uint64_t i = 0; i < count; ++i) right &= lines[order[i]].rest[0]++ == 0;
  return right;
}

const struct workload chase = {
    .name = "chase",
    .summary = "loads that depend on each other, in a random cycle through all lines of a buffer",
    .size_unit = "bytes of the buffer",
    .operation = "load",
    .size = {4 << 20, 64 << 10, 128, 1 << 30},
    .iterations = {1, 4, 1, 1 << 20},
    .power_of_two = true,
    .parallel = true,
    .pieces = true,
    .repeatable = true,
    .timed = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
