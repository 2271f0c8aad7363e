/* SPDX-License-Identifier: Apache-2.0 */
/** What accesses cost in ranks that differ in what they draw. */
#ifndef ENERGY_H
#define ENERGY_H

#include <stdio.h>

#include "counts.h"

/**
 * Prints the energy of the reads and writes of each rank: for the time in which each access has the data bus, what the
 * rank draws meanwhile, which Linux knows for ViPZonE of the node that the rank is (/sys/kernel/mm/vipzone/nodes).
 * What a rank draws besides is not in it. Prints nothing unless both events were counted and Linux knows the power of
 * the ranks.
 */
void energy_print(FILE* to, const struct pmu* pmu, const struct counts* counts);

/** The same for programs: lines of `energy_nj`, no hart, the rank and the energy, as report_fields(). */
void energy_fields(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* separator);

#endif
