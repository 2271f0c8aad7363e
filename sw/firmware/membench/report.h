/* SPDX-License-Identifier: Apache-2.0 */
/** The results: a table for people as they come, and at the end a block for programs. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

/** One result. Numbers times 100, as there is no floating point. */
struct row {
  const char* test;
  unsigned harts;
  uint64_t footprint; /**< bytes that each hart works on */
  uint64_t stride;    /**< bytes; 0 where there is none */
  uint64_t value_x100;
  const char* unit;
};

/** A headline, which the simulator also shows as the stage of the run. */
void report_section(const char* name);

/** Prints a result and keeps it for report_block(). `right` says whether the data were. */
void report_row(struct row row, bool right);

/** Prints all results as JSON, a line each, between two marker lines. */
void report_block(void);

/** Results whose data were wrong. */
unsigned report_errors(void);

#endif
