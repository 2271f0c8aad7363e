// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest.h"

#define MOST_ROWS 64

static struct row rows[MOST_ROWS];
static unsigned row_count, errors;

static void print_size(uint64_t bytes) {
  if (bytes == 0)
    printf("%10s", "");
  else if (bytes < 1024)
    printf("%8" PRIu64 " B", bytes);
  else if (bytes < 1024 * 1024)
    printf("%6" PRIu64 " KiB", bytes / 1024);
  else
    printf("%6" PRIu64 " MiB", bytes / (1024 * 1024));
}

void report_section(const char* name) {
  printf("\n--=== membench: %s ===--\n%-16s %5s %10s %10s %12s\n", name, "test", "harts", "footprint", "stride", "");
}

void report_row(struct row row, bool right) {
  printf("%-16s %5u ", row.test, row.harts);
  print_size(row.footprint);
  putchar(' ');
  print_size(row.stride);
  printf(" %6" PRIu64 ".%02u %s%s\n", row.value_x100 / 100, (unsigned)(row.value_x100 % 100), row.unit,
         right ? "" : "  WRONG DATA");
  errors += !right;
  if (row_count == MOST_ROWS) {
    printf("membench: more than %d results\n", MOST_ROWS);
    guest_exit(1);
  }
  rows[row_count++] = row;
}

void report_block(void) {
  printf("\n=== begin membench rows ===\n");
  for (const struct row* row = rows; row < rows + row_count; ++row)
    printf("{\"test\":\"%s\",\"harts\":%u,\"footprint_bytes\":%" PRIu64 ",\"stride_bytes\":%" PRIu64
           ",\"value\":%" PRIu64 ".%02u,\"unit\":\"%s\"}\n",
           row->test, row->harts, row->footprint, row->stride, row->value_x100 / 100, (unsigned)(row->value_x100 % 100),
           row->unit);
  printf("=== end membench rows ===\n");
}

unsigned report_errors(void) { return errors; }
