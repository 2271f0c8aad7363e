// SPDX-License-Identifier: Apache-2.0
#include "energy.h"

#include <inttypes.h>

#define POWER_FOLDER "/sys/kernel/mm/page_colour/"

/** Reads the power of each rank, in milliwatt. @return whether Linux knows that of all; others are no error */
static bool read_powers(const char* name, unsigned* powers, unsigned ranks) {
  FILE* const file = fopen(name, "r");
  if (!file) return false;
  bool are_known = true;
  for (unsigned rank = 0; rank < ranks; ++rank)
    are_known = are_known && fscanf(file, "%u", &powers[rank]) == 1 && powers[rank];
  fclose(file);
  return are_known;
}

static void print_picojoules_as_nanojoules(FILE* to, uint64_t picojoules) {
  fprintf(to, " %12" PRIu64 ".%03" PRIu64 "\n", picojoules / 1000, picojoules % 1000);
}

void energy_print(FILE* to, const struct pmu* pmu, const struct counts* counts) {
  const unsigned ranks = pmu->sizes[RANK];
  unsigned read_power[SELECTED_MOST], write_power[SELECTED_MOST];
  if (ranks > SELECTED_MOST || !read_powers(POWER_FOLDER "vip_read_power", read_power, ranks) ||
      !read_powers(POWER_FOLDER "vip_write_power", write_power, ranks))
    return;
  uint64_t sum = 0;
  unsigned lines = 0;
  for (unsigned rank = 0; rank < ranks; ++rank) {
    const uint64_t* const reads = counts_find(counts, "reads", 0, rank);
    const uint64_t* const writes = counts_find(counts, "writes", 0, rank);
    if (!reads || !writes) continue;
    // milliwatt in a picosecond are femtojoules
    const uint64_t picojoules = (*reads * read_power[rank] + *writes * write_power[rank]) * pmu->burst_ps / 1000;
    if (!lines++) fprintf(to, "\n%5s %16s %16s %16s\n", "rank", "reads", "writes", "energy, nJ");
    fprintf(to, "%5u %16" PRIu64 " %16" PRIu64, rank, *reads, *writes);
    print_picojoules_as_nanojoules(to, picojoules);
    sum += picojoules;
  }
  if (lines < 2) return;
  fprintf(to, "%5s %16s %16s", "all", "", "");
  print_picojoules_as_nanojoules(to, sum);
}
