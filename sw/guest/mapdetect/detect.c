// SPDX-License-Identifier: Apache-2.0
#include "detect.h"

#include "conflicts.h"
#include "masks.h"
#include "ranks.h"

enum { PREDICTIONS = 8 };  // of each kind: what one mask more or less would change is found with all but 2^-8 of chance

// Which of the functions that are to be found differ for two lines that differ in an address bit alone: a class for
// each bit, with a bit of its own for each representative, an address bit whose class is no sum of others.
struct classes {
  unsigned of_bit[MOST_BITS];
  uint64_t representative[MOST_FUNCTIONS];
  unsigned count;
};

static unsigned weight(unsigned set) {
  unsigned ones = 0;
  for (; set != 0; set &= set - 1) ++ones;
  return ones;
}

static uint64_t sum(const struct classes* classes, unsigned set) {
  uint64_t difference = 0;
  for (unsigned i = 0; i < classes->count; ++i)
    if (set >> i & 1) difference ^= classes->representative[i];
  return difference;
}

static unsigned class_of(const struct classes* classes, uint64_t difference) {
  unsigned class = 0;
  for (unsigned bit = 0; bit < MOST_BITS; ++bit)
    if (difference >> bit & 1) class ^= classes->of_bit[bit];
  return class;
}

// Sums of few representatives are tried first: few bits are XORed in most maps.
static bool classify(struct conflicts* conflicts, struct classes* classes, unsigned bit) {
  const uint64_t difference = UINT64_C(1) << bit;
  for (unsigned ones = 0; ones <= classes->count; ++ones)
    for (unsigned set = 0; set < 1u << classes->count; ++set) {
      if (weight(set) != ones) continue;
      const bool same = conflicts_same_bank(conflicts, difference ^ sum(classes, set));
      if (conflicts->verdict != CERTAIN) return false;
      if (!same) continue;
      classes->of_bit[bit] = set;
      return true;
    }
  if (classes->count == MOST_FUNCTIONS) return conflicts_fail(conflicts, TOO_MANY, difference);
  classes->of_bit[bit] = 1u << classes->count;
  classes->representative[classes->count++] = difference;
  return true;
}

// Lines in one row evict without a conflict; else those of two other banks do, see conflicts_between().
static bool choose_evictors(struct conflicts* conflicts, const struct classes* classes) {
  const struct machine* machine = conflicts->machine;
  for (unsigned bit = machine->first_bit; bit < machine->end_bit; ++bit) {
    if (machine->set_bits >> bit & 1) continue;
    const uint64_t within_bank = (UINT64_C(1) << bit) ^ sum(classes, classes->of_bit[bit]);
    if (within_bank == 0) continue;
    const bool conflict = conflicts_between(conflicts, within_bank);
    if (conflicts->verdict != CERTAIN) return false;
    if (conflict) continue;
    conflicts->evictor[0] = within_bank;
    return true;
  }
  if (classes->count >= 2) {
    conflicts->evictor[0] = classes->representative[0];
    conflicts->evictor[1] = classes->representative[1];
  }
  return true;
}

static bool find_classes(struct conflicts* conflicts, struct classes* classes) {
  const struct machine* machine = conflicts->machine;
  for (unsigned bit = machine->first_bit; bit < machine->end_bit; ++bit)
    if (!(machine->set_bits >> bit & 1) && !classify(conflicts, classes, bit)) return false;
  if (machine->set_bits != 0 && !choose_evictors(conflicts, classes)) return false;
  for (unsigned bit = machine->first_bit; bit < machine->end_bit; ++bit)
    if ((machine->set_bits >> bit & 1) && !classify(conflicts, classes, bit)) return false;
  return true;
}

static void functions_of(const struct classes* classes, uint64_t* masks) {
  for (unsigned i = 0; i < classes->count; ++i) {
    masks[i] = 0;
    for (unsigned bit = 0; bit < MOST_BITS; ++bit)
      if (classes->of_bit[bit] >> i & 1) masks[i] |= UINT64_C(1) << bit;
  }
}

// A difference in `bit` and in the bits that the functions own, such that the bank is the same.
static uint64_t within_bank(const uint64_t* functions, unsigned count, unsigned bit) {
  uint64_t difference = UINT64_C(1) << bit;
  for (unsigned i = 0; i < count; ++i)
    if (functions[i] >> bit & 1) difference |= mask_pivot(functions[i], PIVOT_LOWEST);
  return difference;
}

// Rows and columns are chosen by the bits that no function owns, each alone.
static bool find_rows(struct conflicts* conflicts, const uint64_t* functions, unsigned count, struct address_map* map) {
  uint64_t own = 0;
  for (unsigned i = 0; i < count; ++i) own |= mask_pivot(functions[i], PIVOT_LOWEST);
  for (unsigned bit = conflicts->machine->first_bit; bit < conflicts->machine->end_bit; ++bit) {
    if (own >> bit & 1) continue;
    if (conflicts_between(conflicts, within_bank(functions, count, bit)))
      map->row[map->rows++] = UINT64_C(1) << bit;
    else
      map->column[map->columns++] = UINT64_C(1) << bit;
    if (conflicts->verdict != CERTAIN) return false;
  }
  return true;
}

static bool predicted(const struct address_map* map, const struct classes* classes, uint64_t difference) {
  if (class_of(classes, difference) != 0) return false;
  for (unsigned i = 0; i < map->rows; ++i)
    if (mask_parity(difference, map->row[i])) return true;
  return false;
}

// Lines that differ by chance: in the row but not the bank, in the column alone, and in whatever.
static bool try_predictions(struct conflicts* conflicts, const struct classes* classes, const uint64_t* functions,
                            const struct address_map* map) {
  const struct machine* machine = conflicts->machine;
  uint64_t all = 0, rows = 0;
  for (unsigned bit = machine->first_bit; bit < machine->end_bit; ++bit) all |= UINT64_C(1) << bit;
  for (unsigned i = 0; i < map->rows; ++i) rows |= map->row[i];
  for (unsigned i = 0; i < 3 * PREDICTIONS; ++i) {
    uint64_t difference = conflicts_random(conflicts) & all;
    if (i % 3 == 1) difference &= ~rows;
    if (i % 3 != 2)
      for (unsigned j = 0; j < classes->count; ++j)
        if (mask_parity(difference, functions[j])) difference ^= mask_pivot(functions[j], PIVOT_LOWEST);
    if (difference == 0) continue;
    const bool conflict = conflicts_between(conflicts, difference);
    if (conflicts->verdict != CERTAIN) return false;
    ++conflicts->measured->predictions;
    if (conflict != predicted(map, classes, difference)) return conflicts_fail(conflicts, CONTRADICTED, difference);
  }
  return true;
}

// Rank functions, and those of the banks within a rank: these are told up to sums with rank functions, so that they can
// do without the highest bit of each.
static void name_functions(const uint64_t* functions, unsigned count, const uint64_t* ranks, unsigned rank_count,
                           struct address_map* map) {
  uint64_t rest[MOST_FUNCTIONS];
  for (unsigned i = 0; i < rank_count; ++i) map->rank[i] = ranks[i];
  map->ranks = masks_reduce(map->rank, rank_count, PIVOT_HIGHEST);
  for (unsigned i = 0; i < count; ++i) rest[i] = mask_without(functions[i], map->rank, map->ranks, PIVOT_HIGHEST);
  map->banks = masks_reduce(rest, count, PIVOT_LOWEST);
  for (unsigned i = 0; i < map->banks; ++i) map->bank[i] = rest[i];
}

enum verdict detect(const struct machine* machine, struct address_map* map, struct measured* measured) {
  struct conflicts conflicts = {.machine = machine, .measured = measured, .random = UINT64_C(0x9e3779b97f4a7c15)};
  struct classes classes = {.count = 0};
  uint64_t functions[MOST_FUNCTIONS], ranks[MOST_FUNCTIONS];
  struct address_map found = {.ranks = 0};
  *map = found;
  *measured = (struct measured){.low = 0};
  if (!conflicts_calibrate(&conflicts) || !find_classes(&conflicts, &classes)) return conflicts.verdict;

  functions_of(&classes, functions);
  masks_reduce(functions, classes.count, PIVOT_LOWEST);
  if (!find_rows(&conflicts, functions, classes.count, &found)) return conflicts.verdict;
  if (!try_predictions(&conflicts, &classes, functions, &found)) return conflicts.verdict;

  unsigned rank_count = 0;
  const bool told = ranks_find(&conflicts, functions, classes.count, ranks, &rank_count);
  name_functions(functions, classes.count, ranks, told ? rank_count : 0, &found);
  *map = found;
  return conflicts.verdict;
}

const char* verdict_text(enum verdict verdict) {
  static const char* const text[VERDICTS] = {
      [CERTAIN] = "every function was found, and what they predict was measured",
      [NO_CONTRAST] =
          "reads of any two lines take the same time: rows are closed after each read, or caches are in the way",
      [NO_EVICTION] = "no lines evict others from the cache without being in the way, so that its bits cannot be told",
      [UNSTEADY] = "the same difference of addresses took now short, now long",
      [TOO_MANY] = "there are more functions than a DRAM has",
      [CONTRADICTED] = "a time was not as the functions predict: they are not XORs of address bits",
      [NO_PAIRS] = "there is no memory with lines that differ as needed",
      [RANKS_UNKNOWN] =
          "no refresh was seen to close the rows of several banks: functions of ranks are among those of banks",
  };
  return text[verdict];
}
