/* SPDX-License-Identifier: Apache-2.0 */
/** What weirstat prints of its counts. */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "counts.h"

/** Prints the events that a controller counts. */
void report_events(FILE* to, const struct pmu* pmu);

/** Prints counts of a time, and what follows from them. @param nanoseconds that time */
void report_counts(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* command,
                   uint64_t nanoseconds);

/** Prints counts, and the energy of accesses, for programs: lines of event, hart, rank and number. */
void report_fields(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* separator);

#endif
