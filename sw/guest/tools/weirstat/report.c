// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "energy.h"

/** a * b / c, rounded to the nearest. The harts have no FPU, and a * b may have more than 64 bits. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c) { return ((unsigned __int128)a * b + c / 2) / c; }

void report_events(FILE* to, const struct pmu* pmu) {
  static const char* const names[DIMENSIONS] = {"channel", "hart", "rank", "bucket"};
  for (size_t i = 0; i < pmu->event_count; ++i) {
    const struct event* const event = &pmu->events[i];
    fprintf(to, "%-26s", event->name);
    const char* between = "  for each ";
    for (enum dimension dimension = 0; dimension < DIMENSIONS; ++dimension) {
      if (!event->has[dimension]) continue;
      fprintf(to, "%s%s", between, names[dimension]);
      between = " and ";
    }
    fputc('\n', to);
  }
}

static void print_place(FILE* to, bool is_there, unsigned number) {
  if (is_there)
    fprintf(to, " %5u", number);
  else
    fprintf(to, " %5s", "-");
}

/** An event's name with that of its dimension that has no column. */
struct name {
  char text[NAME_BYTES + 16];
};

static struct name name_of(const struct count* count) {
  struct name name;
  if (count->event->has[BUCKET])
    snprintf(name.text, sizeof name.text, "%s[%u]", count->event->name, count->at[BUCKET]);
  else if (count->event->has[CHANNEL])
    snprintf(name.text, sizeof name.text, "%s[%u]", count->event->name, count->at[CHANNEL]);
  else
    snprintf(name.text, sizeof name.text, "%s", count->event->name);
  return name;
}

static void print_count(FILE* to, const struct count* count, uint64_t nanoseconds) {
  fprintf(to, "%-26s", name_of(count).text);
  print_place(to, count->event->has[HART], count->at[HART]);
  print_place(to, count->event->has[RANK], count->at[RANK]);
  fprintf(to, " %16" PRIu64, count->value);
  if (nanoseconds)
    fprintf(to, " %16" PRIu64 "\n", scaled(count->value, 1000000000, nanoseconds));
  else
    fprintf(to, " %16s\n", "-");
}

/** Accesses of a hart at a rank; sums of several too. */
struct accesses {
  uint64_t hits;
  uint64_t all;
  uint64_t reads;
  uint64_t read_delay;
  bool has_delay;
};

/** @return whether all that is needed was counted */
static bool find_accesses(const struct counts* counts, unsigned hart, unsigned rank, struct accesses* accesses) {
  static const char* const names[] = {"read_hits",  "read_misses",  "read_conflicts",
                                      "write_hits", "write_misses", "write_conflicts"};
  enum { READ_HITS, WRITE_HITS = 3, OUTCOMES = 6 };
  *accesses = (struct accesses){0};
  for (unsigned i = 0; i < OUTCOMES; ++i) {
    const uint64_t* const value = counts_find(counts, names[i], hart, rank);
    if (!value) return false;
    if (i == READ_HITS || i == WRITE_HITS) accesses->hits += *value;
    if (i < WRITE_HITS) accesses->reads += *value;
    accesses->all += *value;
  }
  const uint64_t* const delay = counts_find(counts, "read_delay", hart, rank);
  accesses->has_delay = delay;
  if (delay) accesses->read_delay = *delay;
  return true;
}

/** Prints tenths, or a line where there are none. */
static void print_tenths(FILE* to, bool is_there, int width, uint64_t tenths) {
  if (is_there)
    fprintf(to, " %*" PRIu64 ".%" PRIu64, width - 2, tenths / 10, tenths % 10);
  else
    fprintf(to, " %*s", width, "-");
}

static void print_derived(FILE* to, const struct pmu* pmu, const struct accesses* accesses, uint64_t cycles) {
  const bool has_delay = accesses->has_delay && accesses->reads;
  print_tenths(to, accesses->all, 12, accesses->all ? scaled(accesses->hits, 1000, accesses->all) : 0);
  // bytes in a picosecond are millions of MB in a second
  print_tenths(to, cycles, 12, cycles ? scaled(accesses->all * pmu->line_bytes, 10000000, cycles * pmu->cycle_ps) : 0);
  print_tenths(to, has_delay, 17, has_delay ? scaled(accesses->read_delay, 10, accesses->reads) : 0);
  print_tenths(to, has_delay, 13,
               has_delay ? scaled(accesses->read_delay * pmu->cycle_ps, 10, accesses->reads * 1000) : 0);
  fputc('\n', to);
}

static void print_all_derived(FILE* to, const struct pmu* pmu, const struct counts* counts) {
  struct accesses sum = {.has_delay = true};
  unsigned lines = 0;
  for (unsigned hart = 0; hart < pmu->sizes[HART]; ++hart) {
    for (unsigned rank = 0; rank < pmu->sizes[RANK]; ++rank) {
      struct accesses accesses;
      if (!find_accesses(counts, hart, rank, &accesses)) continue;
      if (!lines++)
        fprintf(to, "\n%5s %5s %12s %12s %17s %13s\n", "hart", "rank", "row hits, %", "MB/s", "read delay, cyc.",
                "read delay, ns");
      fprintf(to, "%5u %5u", hart, rank);
      print_derived(to, pmu, &accesses, counts->all[0].value);
      sum.hits += accesses.hits;
      sum.all += accesses.all;
      sum.reads += accesses.reads;
      sum.read_delay += accesses.read_delay;
      sum.has_delay = sum.has_delay && accesses.has_delay;
    }
  }
  if (lines < 2) return;
  fprintf(to, "%5s %5s", "all", "all");
  print_derived(to, pmu, &sum, counts->all[0].value);
}

void report_counts(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* command,
                   uint64_t nanoseconds) {
  const uint64_t microseconds = (nanoseconds + 500) / 1000;
  fprintf(to, "weirstat: %s: %" PRIu64 ".%06" PRIu64 " s, %" PRIu64 " cycles of %u ps\n\n", command,
          microseconds / 1000000, microseconds % 1000000, counts->all[0].value, pmu->cycle_ps);
  fprintf(to, "%-26s %5s %5s %16s %16s\n", "event", "hart", "rank", "count", "a second");
  for (size_t i = 0; i < counts->count; ++i) print_count(to, &counts->all[i], nanoseconds);
  print_all_derived(to, pmu, counts);
  energy_print(to, pmu, counts);
}

void report_fields(FILE* to, const struct pmu* pmu, const struct counts* counts, const char* separator) {
  for (size_t i = 0; i < counts->count; ++i) {
    const struct count* const count = &counts->all[i];
    fprintf(to, "%s%s", name_of(count).text, separator);
    if (count->event->has[HART]) fprintf(to, "%u", count->at[HART]);
    fputs(separator, to);
    if (count->event->has[RANK]) fprintf(to, "%u", count->at[RANK]);
    fprintf(to, "%s%" PRIu64 "\n", separator, count->value);
  }
  energy_fields(to, pmu, counts, separator);
}
