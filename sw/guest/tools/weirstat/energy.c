// SPDX-License-Identifier: Apache-2.0
#include "energy.h"

#include <inttypes.h>

#define POWERS "/sys/kernel/mm/vipzone/nodes"

/** What a rank draws while it is read and written, in milliwatt. */
struct power {
  unsigned read;
  unsigned write;
};

/** Finds which node each rank is. @return whether Linux knows that of all; others are no error */
static bool find_nodes(unsigned* nodes, unsigned ranks) {
  FILE* const file = fopen(GEOMETRY_FOLDER "rank_nodes", "r");
  bool are_known = file;
  for (unsigned rank = 0; are_known && rank < ranks; ++rank) are_known = fscanf(file, "%u", &nodes[rank]) == 1;
  if (file) fclose(file);
  return are_known;
}

/** Finds the power of the node that each rank is. @return whether Linux knows that of all; others are no error */
static bool find_powers(struct power* powers, unsigned ranks) {
  unsigned nodes[SELECTED_MOST], known = 0;
  FILE* const file = find_nodes(nodes, ranks) ? fopen(POWERS, "r") : NULL;
  char line[64];
  while (file && fgets(line, sizeof line, file)) {
    unsigned node;
    struct power power;
    // the first line has the names of the columns
    if (sscanf(line, "%u %u %u", &node, &power.read, &power.write) != 3 || !power.read || !power.write) continue;
    for (unsigned rank = 0; rank < ranks; ++rank) {
      if (nodes[rank] != node) continue;
      powers[rank] = power;
      ++known;
    }
  }
  if (file) fclose(file);
  return known == ranks;
}

/** A rank's accesses, if they were counted. */
struct energy {
  bool is_there;
  uint64_t reads;
  uint64_t writes;
  uint64_t picojoules;
};

/** @return in how many ranks accesses were counted; none unless Linux knows what all ranks draw */
static unsigned find(const struct pmu* pmu, const struct counts* counts, struct energy energies[SELECTED_MOST]) {
  const unsigned ranks = pmu->sizes[RANK];
  struct power powers[SELECTED_MOST];
  if (ranks > SELECTED_MOST || !find_powers(powers, ranks)) return 0;
  unsigned found = 0;
  for (unsigned rank = 0; rank < ranks; ++rank) {
    const uint64_t* const reads = counts_find(counts, "reads", 0, rank);
    const uint64_t* const writes = counts_find(counts, "writes", 0, rank);
    energies[rank] = (struct energy){.is_there = reads && writes};
    if (!energies[rank].is_there) continue;
    // milliwatt in a picosecond are femtojoules
    const uint64_t picojoules = (*reads * powers[rank].read + *writes * powers[rank].write) * pmu->burst_ps / 1000;
    energies[rank] = (struct energy){true, *reads, *writes, picojoules};
    ++found;
  }
  return found;
}

void energy_print(FILE* to, const struct pmu* pmu, const struct counts* counts) {
  struct energy energies[SELECTED_MOST];
  const unsigned found = find(pmu, counts, energies);
  if (!found) return;
  fprintf(to, "\n%5s %16s %16s %16s\n", "rank", "reads", "writes", "energy, nJ");
  uint64_t sum = 0;
  for (unsigned rank = 0; rank < pmu->sizes[RANK]; ++rank) {
    const struct energy* const energy = &energies[rank];
    if (!energy->is_there) continue;
    fprintf(to, "%5u %16" PRIu64 " %16" PRIu64 " %12" PRIu64 ".%03" PRIu64 "\n", rank, energy->reads, energy->writes,
            energy->picojoules / 1000, energy->picojoules % 1000);
    sum += energy->picojoules;
  }
  if (found > 1) fprintf(to, "%5s %16s %16s %12" PRIu64 ".%03" PRIu64 "\n", "all", "", "", sum / 1000, sum % 1000);
}

void energy_fields(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* separator) {
  struct energy energies[SELECTED_MOST];
  if (!find(pmu, counts, energies)) return;
  for (unsigned rank = 0; rank < pmu->sizes[RANK]; ++rank)
    if (energies[rank].is_there)
      fprintf(to, "energy_nj%s%s%u%s%" PRIu64 ".%03" PRIu64 "\n", separator, separator, rank, separator,
              energies[rank].picojoules / 1000, energies[rank].picojoules % 1000);
}
