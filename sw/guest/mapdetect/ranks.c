// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include "masks.h"

enum {
  LEAST_EVENTS = 8,  // refreshes of each of two banks
  MOST_WATCHES = 12,
  ROUNDS = 16,  // times those of a time that is taken
};

enum relation { SAME, OTHER, UNKNOWN };

static enum relation watched(struct conflicts* conflicts, uint64_t difference, uint64_t evictor) {
  const struct machine* machine = conflicts->machine;
  struct watch watch = {conflicts_reads(conflicts, difference, evictor), {0, 1, 2, 2}, 0};
  watch.reads.rounds = ROUNDS * machine->rounds;
  watch.contrast = conflicts->measured->high - conflicts->measured->low;
  // lines of the same rows: either may be the first to find its row closed
  if (watch.reads.count == 4 && conflicts->evictor[1] == 0) watch.group[2] = 0, watch.group[3] = 1;
  struct coincidences seen = {{0, 0}, 0};
  for (unsigned i = 0; i < MOST_WATCHES; ++i) {
    if (!machine->watch(machine->context, &watch, &seen)) return UNKNOWN;
    const uint32_t fewest = seen.events[0] < seen.events[1] ? seen.events[0] : seen.events[1];
    if (fewest < LEAST_EVENTS) continue;
    if (4 * seen.both >= 3 * fewest) return SAME;
    if (4 * seen.both <= fewest) return OTHER;
  }
  return UNKNOWN;
}

// Two banks, by the difference of addresses between them. An evictor in the second of them is in the way.
static enum relation relation(struct conflicts* conflicts, uint64_t difference) {
  const enum relation found = watched(conflicts, difference, conflicts->evictor[0]);
  return found == UNKNOWN && conflicts->evictor[1] != 0 ? watched(conflicts, difference, conflicts->evictor[1]) : found;
}

// A difference in the functions of `set` alone, by the bits that they own.
static uint64_t differing(const uint64_t* functions, unsigned count, unsigned set) {
  uint64_t difference = 0;
  for (unsigned i = 0; i < count; ++i)
    if (set >> i & 1) difference |= mask_pivot(functions[i], PIVOT_LOWEST);
  return difference;
}

bool ranks_find(struct conflicts* conflicts, const uint64_t* functions, unsigned count, uint64_t* ranks,
                unsigned* rank_count) {
  unsigned representative[MOST_FUNCTIONS];  // functions by whose change the rank changes, each to another
  unsigned class[MOST_FUNCTIONS];           // of each function: the representatives that change the rank as it does
  *rank_count = 0;
  if (conflicts->machine->watch == 0) return conflicts_fail(conflicts, RANKS_UNKNOWN, 0);
  for (unsigned i = 0; i < count; ++i) {
    bool same = false;
    for (unsigned set = 0; set < 1u << *rank_count && !same; ++set) {
      unsigned changed = 1u << i;
      for (unsigned j = 0; j < *rank_count; ++j)
        if (set >> j & 1) changed |= 1u << representative[j];
      const uint64_t difference = differing(functions, count, changed);
      const enum relation found = relation(conflicts, difference);
      if (found == UNKNOWN) return conflicts_fail(conflicts, RANKS_UNKNOWN, difference);
      same = found == SAME;
      class[i] = set;
    }
    if (same) continue;
    class[i] = 1u << *rank_count;
    representative[(*rank_count)++] = i;
  }
  // Every rank has several banks. Where rows do not stay open, a refresh is only seen by the read that it delays, and
  // no two banks are slow together.
  if (*rank_count == count && count != 0) return conflicts_fail(conflicts, RANKS_UNKNOWN, 0);
  for (unsigned j = 0; j < *rank_count; ++j) {
    ranks[j] = 0;
    for (unsigned i = 0; i < count; ++i)
      if (class[i] >> j & 1) ranks[j] ^= functions[i];
  }
  return true;
}
