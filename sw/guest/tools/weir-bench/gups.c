// SPDX-License-Identifier: Apache-2.0
// Random updates of a large table, after RandomAccess of the HPC Challenge: giga-updates per second.
#include "pieces.h"
#include "random.h"
#include "threads.h"
#include "workload.h"

static uint64_t* table;

static bool is_hot;  // most updates go to a few pages

enum { LINE_BYTES = 64, PAGE_WORDS = 512, GROUP_PAGES = 64 };

static uint64_t words(const struct settings* settings) { return settings->size / sizeof(uint64_t); }

// Updates in an iteration: of large tables one for each word would take long, and tell no more.
static uint64_t lines(const struct settings* settings) { return settings->size / LINE_BYTES; }

// Where the numbers of a thread begin in an iteration.
static uint64_t first(const struct settings* settings, struct thread thread, uint64_t iteration) {
  return random_start(settings->seed + iteration * MOST_THREADS + thread.number);
}

// Of a hot set, 15 of 16 updates go to one page of each 64, which is another one in each group of these.
static uint64_t place(uint64_t number, uint64_t count) {
  const uint64_t word = number >> 16 & (count - 1);
  if (!is_hot || number % 16 == 0) return word;
  const uint64_t group = word / (PAGE_WORDS * GROUP_PAGES);
  return (group * GROUP_PAGES + 37 * group % GROUP_PAGES) * PAGE_WORDS + word % PAGE_WORDS;
}

static void prepare(const struct settings* settings) {
  table = take(settings->size);
  for (uint64_t i = 0; i < words(settings); ++i) table[i] = i;
}

static void prepare_hot(const struct settings* settings) {
  is_hot = true;
  prepare(settings);
}

// The order of the threads does not matter to XOR, but no update may get lost.
static void updates(struct thread thread, const void* argument) {
  const struct settings* settings = argument;
  const uint64_t count = words(settings), all = lines(settings), mine = share_end(thread, all) - share(thread, all);
  threads_meet(thread);
  struct pieces pieces = pieces_begin(thread, mine * settings->iterations);
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration) {
    uint64_t number = first(settings, thread, iteration);
    for (uint64_t left = mine; left;) {
      const uint64_t some = pieces_next(&pieces, left);
      if (thread.count == 1)
        for (uint64_t i = 0; i < some; ++i, number = random_next(number)) table[place(number, count)] ^= number;
      else
        for (uint64_t i = 0; i < some; ++i, number = random_next(number))
          __atomic_fetch_xor(&table[place(number, count)], number, __ATOMIC_RELAXED);
      left -= some;
    }
  }
  pieces_end(&pieces);
}

static struct work run(const struct settings* settings) {
  threads_run(settings->threads, updates, settings);
  const uint64_t made = lines(settings) * settings->iterations;
  return (struct work){made, made * 2 * sizeof(uint64_t)};
}

static struct result result(const struct settings* settings) { return (struct result){table, settings->size}; }

// The XOR of the table is that of its first contents and of all numbers, which a lost update changes; a second pass of
// the same updates, one thread's after the other's, gives the first contents back, which a misplaced one prevents.
static bool check(const struct settings* settings) {
  const uint64_t count = words(settings), updated = lines(settings);
  uint64_t all = 0;
  for (uint64_t i = 0; i < count; ++i) all ^= table[i] ^ i;
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration)
    for (struct thread thread = {0, settings->threads}; thread.number < thread.count; ++thread.number) {
      uint64_t number = first(settings, thread, iteration);
      for (uint64_t i = share(thread, updated); i < share_end(thread, updated); ++i, number = random_next(number)) {
        all ^= number;
        table[place(number, count)] ^= number;
      }
    }
  bool right = all == 0;
  for (uint64_t i = 0; i < count; ++i) right &= table[i] == i;
  return right;
}

const struct workload gups = {
    .name = "gups",
    .summary = "XOR of random numbers into random words of a table, in an iteration as many as it has lines",
    .size_unit = "bytes of the table",
    .operation = "update",
    .size = {4 << 20, 64 << 10, 1 << 10, 1 << 30},
    .iterations = {1, 8, 1, 1 << 20},
    .power_of_two = true,
    .parallel = true,
    .pieces = true,
    .repeatable = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};

const struct workload gups_hot = {
    .name = "gups-hot",
    .summary = "the same, but 15 of 16 updates go to one page of each 64",
    .size_unit = "bytes of the table",
    .operation = "update",
    .size = {4 << 20, 256 << 10, 256 << 10, 1 << 30},
    .iterations = {1, 2, 1, 1 << 20},
    .power_of_two = true,
    .parallel = true,
    .pieces = true,
    .repeatable = true,
    .prepare = prepare_hot,
    .run = run,
    .result = result,
    .check = check,
};
