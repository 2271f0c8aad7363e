// SPDX-License-Identifier: Apache-2.0
#include "levels.h"

enum { LEAST_CONTRAST = 64 };  // a row that must be opened costs some 10 % of any read

static void sort(uint64_t* values, unsigned count) {
  for (unsigned i = 1; i < count; ++i) {
    const uint64_t value = values[i];
    unsigned place = i;
    for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
    values[place] = value;
  }
}

bool levels_split(uint64_t* values, unsigned count, uint64_t* low, uint64_t* high) {
  if (count < 2) return false;
  sort(values, count);
  uint64_t widest = 0;
  for (unsigned i = 1; i < count; ++i)
    if (values[i] - values[i - 1] > widest) widest = values[i] - values[i - 1];
  unsigned split = count - 1;
  while (4 * (values[split] - values[split - 1]) < 3 * widest) --split;
  *low = values[split - 1];
  *high = values[split + (count - split) / 2];
  return *high - *low >= *low / LEAST_CONTRAST && 2 * (values[split] - *low) >= *high - *low;
}
