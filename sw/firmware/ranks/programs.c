// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

#include <system.h>
// csr.h finds its accessors in system.h
#include <generated/csr.h>
#include <generated/mem.h>

#include "harts.h"

// Memory of hart 0 begins above the program, that of the others such a part further.
#define FIRST (64u << 20)
#define PART (128u << 20)

// Before hart 0 is timed all have come so far; the others look so often whether it is done.
#define STRIDE 64u

struct running {
  const struct program* program;
  void (*begin)(void);
  void (*end)(void);
  uint64_t cycles;  // hart 0's
};

static struct {
  volatile uint64_t value;
} __attribute__((aligned(CACHE_LINE))) done, counts[HARTS];  // counts: operations of each hart, then its wrong words

static struct placement placement(const struct program* program, unsigned hart) {
  struct placement found = placement_of(&program->geometry, program->own_rank, hart);
  found.first += MAIN_RAM_BASE + FIRST + (uint64_t)hart * PART;
  return found;
}

static volatile uint64_t* word(struct placement placement, uint32_t line) {
  return (volatile uint64_t*)(uintptr_t)place_of(placement, line * CACHE_LINE);
}

static void clear(unsigned hart, void* argument) {
  const struct program* program = argument;
  const struct placement own = placement(program, hart);
  for (uint32_t line = 0; line < program->bytes / CACHE_LINE; ++line) *word(own, line) = 0;
}

static uint64_t operate(const struct program* program, unsigned hart, uint64_t chance, uint32_t operations) {
  const struct placement own = placement(program, hart);
  const bool updates = program->updates;
  const uint32_t lines = program->bytes / CACHE_LINE;
  for (uint32_t i = 0; i < operations; ++i) {
    chance ^= chance << 13;  // xorshift64 (Marsaglia, 2003)
    chance ^= chance >> 7;
    chance ^= chance << 17;
    volatile uint64_t* const address = word(own, (uint32_t)(chance >> 24) & (lines - 1));
    if (updates)
      ++*address;
    else
      chance ^= *address;  // it is 0, which the hart does not know before it comes
  }
  return chance;
}

static void run(unsigned hart, void* argument) {
  struct running* running = argument;
  const struct program* program = running->program;
  uint64_t chance = 0x9e3779b97f4a7c15u * (hart + 1), operations = STRIDE;
  chance = operate(program, hart, chance, STRIDE);
  if (hart == 0) {
    running->begin();
    const uint64_t start = cycles();
    operate(program, hart, chance, program->operations);
    running->cycles = cycles() - start;
    running->end();
    done.value = 1;
    operations += program->operations;
  } else {
    for (; !done.value; operations += STRIDE) chance = operate(program, hart, chance, STRIDE);
  }
  counts[hart].value = operations;
}

static void check(unsigned hart, void* argument) {
  const struct program* program = argument;
  const struct placement own = placement(program, hart);
  uint64_t sum = 0;
  for (uint32_t line = 0; line < program->bytes / CACHE_LINE; ++line) sum += *word(own, line);
  const uint64_t expected = program->updates ? counts[hart].value : 0;
  counts[hart].value = sum > expected ? sum - expected : expected - sum;
}

uint64_t program_run(const struct program* program, void (*begin)(void), void (*end)(void)) {
  struct running running = {program, begin, end, 0};
  done.value = 0;
  harts_run(HARTS, clear, (void*)program);
  memory_clock_divider_write(program->divider);
  harts_run(HARTS, run, &running);
  memory_clock_divider_write(1);
  return running.cycles;
}

uint64_t program_check(const struct program* program) {
  uint64_t wrong = 0;
  harts_run(HARTS, check, (void*)program);
  for (unsigned hart = 0; hart < HARTS; ++hart) wrong += counts[hart].value;
  return wrong;
}
