// SPDX-License-Identifier: Apache-2.0
#include "hotness.h"

uint32_t hot_greatest(const uint16_t* counts, uint32_t count, uint32_t least, uint32_t* places, uint32_t most) {
  uint32_t found = 0;
  for (uint32_t place = 0; place < count; ++place) {
    if (counts[place] < least) continue;
    uint32_t rank = found;
    while (rank > 0 && counts[places[rank - 1]] < counts[place]) --rank;
    if (rank >= most) continue;
    if (found < most) ++found;
    for (uint32_t to = found - 1; to > rank; --to) places[to] = places[to - 1];
    places[rank] = place;
  }
  return found;
}
