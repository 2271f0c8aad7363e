// SPDX-License-Identifier: Apache-2.0
#include "conflicts.h"

#include "levels.h"

enum {
  MOST_SAMPLES = 256,
  FIRST_SAMPLES = 64,
  TIMES_OF_SAMPLE = 3,
  CONFIRMATIONS = 5,
  LEAD = 2,  // by which one answer must be ahead
  MOST_VOTES = 12,
};

uint64_t conflicts_random(struct conflicts* conflicts) {
  uint64_t next = conflicts->random;  // xorshift64 (Marsaglia, 2003)
  next ^= next << 13;
  next ^= next >> 7;
  next ^= next << 17;
  return conflicts->random = next;
}

bool conflicts_fail(struct conflicts* conflicts, enum verdict verdict, uint64_t difference) {
  if (conflicts->verdict == CERTAIN) {
    conflicts->verdict = verdict;
    conflicts->measured->doubtful = difference;
  }
  return false;
}

struct reads conflicts_reads(const struct conflicts* conflicts, uint64_t difference, uint64_t evictor) {
  struct reads reads = {{0, difference, evictor, difference ^ evictor}, MOST_READS, conflicts->machine->rounds};
  if (!(difference & conflicts->machine->set_bits)) {
    // as many reads, so that what a time has of other things is the same part of it
    reads.rounds *= 2;
    reads.count = MOST_READS / 2;
  }
  return reads;
}

// Of one read, in parts of a tick.
static bool take_time(struct conflicts* conflicts, uint64_t difference, uint64_t evictor, uint64_t* level) {
  const struct reads reads = conflicts_reads(conflicts, difference, evictor);
  uint64_t ticks = 0;
  if (conflicts->verdict != CERTAIN) return false;
  if (!conflicts->machine->time(conflicts->machine->context, &reads, &ticks))
    return conflicts_fail(conflicts, NO_PAIRS, difference);
  ++conflicts->measured->times;
  *level = ticks * TICK_FRACTION / ((uint64_t)reads.count * reads.rounds);
  return true;
}

static uint64_t bits_that_evict(const struct machine* machine) {
  const uint64_t end = machine->end_bit < 64 ? UINT64_C(1) << machine->end_bit : 0;
  return (end - (UINT64_C(1) << machine->first_bit)) & ~machine->set_bits;
}

// What disturbs a time makes it longer.
static bool sample(struct conflicts* conflicts, uint64_t difference, uint64_t* least) {
  *least = UINT64_MAX;
  for (unsigned i = 0; i < TIMES_OF_SAMPLE; ++i) {
    uint64_t level;
    if (!take_time(conflicts, difference, 0, &level)) return false;
    if (level < *least) *least = level;
  }
  return true;
}

// The votes of several times, each with lines elsewhere. A time between the levels has none.
static bool vote(struct conflicts* conflicts, uint64_t difference, uint64_t evictor) {
  const uint64_t low = conflicts->measured->low, contrast = conflicts->measured->high - low;
  int lead = 0;
  for (unsigned votes = 0; votes < MOST_VOTES && lead < LEAD && lead > -LEAD; ++votes) {
    uint64_t level;
    if (!take_time(conflicts, difference, evictor, &level)) return false;
    if (level > low + 2 * contrast) continue;  // the hart has done something else
    if (level < low + contrast * 3 / 8) --lead;
    if (level > low + contrast * 5 / 8) ++lead;
  }
  if (lead < LEAD && lead > -LEAD) return conflicts_fail(conflicts, UNSTEADY, difference);
  return lead > 0;
}

// The level must be a property of the difference, wherever the lines are.
static bool confirm(struct conflicts* conflicts, uint64_t difference, bool expected) {
  for (unsigned i = 0; i < CONFIRMATIONS; ++i)
    if (vote(conflicts, difference, 0) != expected) return conflicts_fail(conflicts, NO_CONTRAST, difference);
  return conflicts->verdict == CERTAIN;
}

bool conflicts_calibrate(struct conflicts* conflicts) {
  static uint64_t difference[MOST_SAMPLES], least[MOST_SAMPLES], sorted[MOST_SAMPLES];
  const uint64_t usable = bits_that_evict(conflicts->machine);
  struct measured* measured = conflicts->measured;
  unsigned count = 0;
  // rows are most often chosen by one bit each
  for (uint64_t left = usable; left != 0; left &= left - 1) difference[count++] = left & -left;
  if (count < 2) return conflicts_fail(conflicts, NO_PAIRS, usable);
  bool split = false;
  for (unsigned sampled = 0; !split;) {
    for (; sampled < count; ++sampled) {
      if (!sample(conflicts, difference[sampled], &least[sampled])) return false;
      sorted[sampled] = least[sampled];
    }
    for (unsigned i = 0; i < count; ++i) sorted[i] = least[i];
    split = levels_split(sorted, count, &measured->low, &measured->high);
    if (!split && count == MOST_SAMPLES) return conflicts_fail(conflicts, NO_CONTRAST, 0);
    if (!split) {
      const unsigned more = count < FIRST_SAMPLES ? FIRST_SAMPLES : MOST_SAMPLES;
      while (count < more) {
        const uint64_t next = conflicts_random(conflicts) & usable;
        if (next != 0) difference[count++] = next;
      }
    }
  }
  unsigned lowest = 0, highest = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (least[i] == measured->low) lowest = i;
    if (least[i] == measured->high) highest = i;
  }
  conflicts->conflicting = difference[highest];
  return confirm(conflicts, difference[lowest], false) && confirm(conflicts, difference[highest], true);
}

bool conflicts_between(struct conflicts* conflicts, uint64_t difference) {
  if (difference == 0 || conflicts->verdict != CERTAIN) return false;
  if (!(difference & conflicts->machine->set_bits)) return vote(conflicts, difference, 0);
  if (conflicts->evictor[0] == 0) return conflicts_fail(conflicts, NO_EVICTION, difference);
  // With an evictor in another bank, lines in that bank conflict with it too, but not with one in a third bank.
  if (!vote(conflicts, difference, conflicts->evictor[0])) return false;
  return conflicts->evictor[1] == 0 || vote(conflicts, difference, conflicts->evictor[1]);
}

bool conflicts_same_bank(struct conflicts* conflicts, uint64_t difference) {
  return conflicts_between(conflicts, difference) || conflicts_between(conflicts, difference ^ conflicts->conflicting);
}
