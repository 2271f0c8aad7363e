// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

enum { BURST_BITS = 3 };  // eight beats, JESD79-3 4.2

static void print(const char* name, unsigned first, const uint64_t* masks, unsigned count) {
  for (unsigned i = 0; i < count; ++i) printf("%s%u 0x%" PRIx64 "\n", name, first + i, masks[i]);
}

void report_map(const struct address_map* map, unsigned first_bit) {
  print("rank", 0, map->rank, map->ranks);
  print("bank", 0, map->bank, map->banks);
  for (unsigned i = 0; i < BURST_BITS; ++i)
    printf("column%u 0x%" PRIx64 "\n", i, UINT64_C(1) << (first_bit - BURST_BITS + i));
  print("column", BURST_BITS, map->column, map->columns);
  print("row", 0, map->row, map->rows);
}
