// SPDX-License-Identifier: Apache-2.0
#include "bandwidth.h"

#include "harts.h"
#include "sequence.h"

// Words that a loop goes on by; no cache line has more.
#define UNROLLED_WORDS 8

// Lines that a random kind touches at most: enough for a mean, few enough to simulate.
#define RANDOM_LINES 2048u
#define SEED_STREAM 0x0123456789abcdefu
#define SEED_RANDOM 0xfedcba9876543210u

static uint64_t sum(const volatile uint64_t* words, uint64_t count) {
  uint64_t total = 0;
  for (uint64_t i = 0; i < count; i += UNROLLED_WORDS) {
    const volatile uint64_t* line = words + i;
    const uint64_t a = line[0], b = line[1], c = line[2], d = line[3];
    const uint64_t e = line[4], f = line[5], g = line[6], h = line[7];
    total += ((a + b) + (c + d)) + ((e + f) + (g + h));
  }
  return total;
}

static bool sequential_write(uintptr_t base, uint64_t bytes, struct span* timed) {
  volatile uint64_t* words = (volatile uint64_t*)base;
  const uint64_t count = bytes / 8;
  uint64_t value = word_value(0, SEED_STREAM);
  timed->start = cycles();
  for (uint64_t i = 0; i < count; i += UNROLLED_WORDS) {
#pragma GCC unroll 8
    for (unsigned word = 0; word < UNROLLED_WORDS; ++word, value += WORD_STEP) words[i + word] = value;
  }
  timed->end = cycles();
  return true;  // sequential_read sees what was written
}

static bool sequential_read(uintptr_t base, uint64_t bytes, struct span* timed) {
  timed->start = cycles();
  const uint64_t total = sum((const volatile uint64_t*)base, bytes / 8);
  timed->end = cycles();
  return total == word_sum(bytes / 8, SEED_STREAM);
}

static bool copy(uintptr_t base, uint64_t bytes, struct span* timed) {
  const uint64_t count = bytes / 2 / 8;
  const volatile uint64_t* source = (const volatile uint64_t*)base;
  volatile uint64_t* target = (volatile uint64_t*)base + count;
  timed->start = cycles();
  for (uint64_t i = 0; i < count; i += UNROLLED_WORDS) {
    const uint64_t a = source[i], b = source[i + 1], c = source[i + 2], d = source[i + 3];
    const uint64_t e = source[i + 4], f = source[i + 5], g = source[i + 6], h = source[i + 7];
    target[i] = a, target[i + 1] = b, target[i + 2] = c, target[i + 3] = d;
    target[i + 4] = e, target[i + 5] = f, target[i + 6] = g, target[i + 7] = h;
  }
  timed->end = cycles();
  return sum(target, count) == word_sum(count, SEED_STREAM);
}

static uint64_t random_lines(uint64_t footprint) {
  const uint64_t lines = footprint / CACHE_LINE;
  return lines < RANDOM_LINES ? lines : RANDOM_LINES;
}

static bool random_write(uintptr_t base, uint64_t footprint, struct span* timed) {
  const uint64_t lines = random_lines(footprint);
  const unsigned spacing = (unsigned)__builtin_ctzll(footprint / lines);
  uint64_t place = 0, value = word_value(0, SEED_RANDOM);
  timed->start = cycles();
  for (uint64_t i = 0; i < lines; ++i, value += WORD_STEP) {
    *(volatile uint64_t*)(base + (uintptr_t)(place << spacing)) = value;
    place = walk_next(place, lines);
  }
  timed->end = cycles();
  return true;  // random_read sees what was written
}

static bool random_read(uintptr_t base, uint64_t footprint, struct span* timed) {
  const uint64_t lines = random_lines(footprint);
  const unsigned spacing = (unsigned)__builtin_ctzll(footprint / lines);
  uint64_t place = 0, value = word_value(0, SEED_RANDOM);
  bool right = true;
  timed->start = cycles();
  for (uint64_t i = 0; i < lines; ++i, value += WORD_STEP) {
    right &= *(const volatile uint64_t*)(base + (uintptr_t)(place << spacing)) == value;
    place = walk_next(place, lines);
  }
  timed->end = cycles();
  return right;
}

const struct access_kind access_kinds[] = {
    {"sequential_write", false, sequential_write}, {"sequential_read", false, sequential_read}, {"copy", false, copy},
    {"random_write", true, random_write},          {"random_read", true, random_read},
};
const unsigned access_kind_count = sizeof access_kinds / sizeof *access_kinds;

uint64_t bytes_moved(const struct access_kind* kind, uint64_t footprint) {
  return kind->random ? random_lines(footprint) * CACHE_LINE : footprint;
}
