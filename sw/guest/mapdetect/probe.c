// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

enum {
  WARM_UP = 4,  // more than a bank's history of rows is long
  WARM_UP_WATCH = 8,
  OWN_BYTES = 512,  // of the stack on both sides of the stack pointer
};

bool probe_fits(const uintptr_t* addresses, unsigned count) {
  const uintptr_t own = (uintptr_t)__builtin_frame_address(0) - OWN_BYTES;
  const uint64_t line = UINT64_C(1) << PROBE_FIRST_BIT;
  for (uintptr_t at = own; at < own + 2 * OWN_BYTES; at += line)
    for (unsigned i = 0; i < count; ++i)
      if (((at ^ addresses[i]) & PROBE_SET_BITS) == 0) return false;
  return true;
}

static inline uint64_t cycle(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, cycle" : "=r"(value)::"memory");
  return value;
}

static inline uint64_t ticks(enum probe_clock clock) {
  uint64_t value;
  if (clock == PROBE_CYCLE) return cycle();
  __asm__ volatile("csrr %0, time" : "=r"(value)::"memory");
  return value;
}

// Gives 0, once the line has come: an address that it is added to waits for it.
static inline uintptr_t read_line(uintptr_t address) {
  uintptr_t value;
  __asm__ volatile("ld %0, 0(%1)\n and %0, %0, zero" : "=&r"(value) : "r"(address) : "memory");
  return value;
}

// Four reads in each turn of the loop, whether they are one round or two, and one copy of it, which the rounds that
// warm up bring into the instruction cache: what each turn, or each time, took beside reads would make those of rounds
// of two and of four differ by as much as opening a row does.
__attribute__((noinline)) static void read_rounds(const uintptr_t* addresses, unsigned count, unsigned rounds) {
  const bool twice = count != MOST_READS;
  const uintptr_t a = addresses[0], b = addresses[1];
  const uintptr_t c = twice ? a : addresses[2], d = twice ? b : addresses[3];
  uintptr_t zero = 0;
  for (unsigned turns = twice ? rounds / 2 : rounds; turns != 0; --turns) {
    zero = read_line(a + zero);
    zero = read_line(b + zero);
    zero = read_line(c + zero);
    zero = read_line(d + zero);
  }
}

uint64_t probe_time(const uintptr_t* addresses, unsigned count, unsigned rounds, enum probe_clock clock) {
  read_rounds(addresses, count, WARM_UP);
  const uint64_t begin = ticks(clock);
  read_rounds(addresses, count, rounds);
  return ticks(clock) - begin;
}

void probe_watch(const uintptr_t* addresses, const struct watch* watch, struct coincidences* seen) {
  const unsigned count = watch->reads.count;
  const uint32_t margin = (uint32_t)((watch->contrast / 2 + TICK_FRACTION - 1) / TICK_FRACTION);
  uint32_t usual[MOST_READS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  // rounds with the last read of group 0 that was slow, and of group 1 without one of group 0
  int before = -2, alone = -2;
  uintptr_t zero = 0;
  for (int round = -WARM_UP_WATCH; round < (int)watch->reads.rounds; ++round) {
    bool slow[3] = {false, false, false};
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t begin = cycle();
      zero = read_line(addresses[i] + zero);
      const uint32_t took = (uint32_t)(cycle() - begin + zero);
      if (round < 0) {
        if (took < usual[i]) usual[i] = took;
      } else if (took >= usual[i] + margin) {
        slow[watch->group[i]] = true;
      }
    }
    seen->events[0] += slow[0];
    seen->events[1] += slow[1];
    if (slow[1] && !slow[0] && before != round - 1)
      alone = round;
    else if (slow[1] || (slow[0] && alone == round - 1))
      ++seen->both;
    if (slow[0]) before = round;
  }
}
