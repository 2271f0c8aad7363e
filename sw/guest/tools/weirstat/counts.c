// SPDX-License-Identifier: Apache-2.0
#include "counts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool selection_parse(struct selection* selection, const char* what, const char* text, unsigned size) {
  *selection = (struct selection){.is_given = true};
  const char* at = text;
  for (;;) {
    char* end;
    unsigned long first = ULONG_MAX, last;
    if (*at >= '0' && *at <= '9') first = strtoul(at, &end, 10);
    if (first == ULONG_MAX) break;
    last = first;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9') last = strtoul(end + 1, &end, 10);
    if (last < first || last >= size || last >= SELECTED_MOST) {
      fprintf(stderr, "weirstat: %s '%s': there are %s 0 to %u\n", what, text, what, size - 1);
      return false;
    }
    for (unsigned long number = first; number <= last; ++number) selection->has[number] = true;
    if (!*end) return true;
    if (*end != ',') break;
    at = end + 1;
  }
  fprintf(stderr, "weirstat: %s '%s': not numbers and ranges as in 0,2-3\n", what, text);
  return false;
}

static bool is_selected(const struct selection* selection, unsigned number) {
  return !selection->is_given || (number < SELECTED_MOST && selection->has[number]);
}

bool counts_add(struct counts* counts, const struct pmu* pmu, const struct event* event, const struct selection* harts,
                const struct selection* ranks) {
  unsigned at[DIMENSIONS] = {0};
  for (;;) {
    if ((!event->has[HART] || is_selected(harts, at[HART])) && (!event->has[RANK] || is_selected(ranks, at[RANK]))) {
      if (counts->count == COUNTS_MOST) return false;
      struct count* const count = &counts->all[counts->count++];
      *count = (struct count){.event = event};
      memcpy(count->at, at, sizeof at);
    }
    int dimension = DIMENSIONS - 1;
    while (dimension >= 0 && (!event->has[dimension] || ++at[dimension] == pmu->sizes[dimension])) at[dimension--] = 0;
    if (dimension < 0) return true;
  }
}

bool counts_open(struct counts* counts, const struct pmu* pmu, bool started) {
  counts->leader = -1;
  for (size_t i = 0; i < counts->count; ++i) {
    const struct count* const count = &counts->all[i];
    const int descriptor = pmu_open(pmu, count->event, count->at, counts->leader);
    if (descriptor < 0) {
      fprintf(stderr, "weirstat: event %s of hart %u, rank %u: %s\n", count->event->name, count->at[HART],
              count->at[RANK], strerror(errno));
      return false;
    }
    if (!i) counts->leader = descriptor;
  }
  if (!started || pmu_start(counts->leader)) return true;
  fprintf(stderr, "weirstat: the counters cannot be started: %s\n", strerror(errno));
  return false;
}

static bool read_all(struct counts* counts, uint64_t* values) {
  if (pmu_read(counts->leader, &counts->nanoseconds, values, counts->count)) return true;
  fprintf(stderr, "weirstat: the counters cannot be read: %s\n", strerror(errno));
  return false;
}

bool counts_begin(struct counts* counts) {
  uint64_t values[COUNTS_MOST];
  if (!read_all(counts, values)) return false;
  for (size_t i = 0; i < counts->count; ++i) counts->all[i].before = values[i];
  return true;
}

bool counts_end(struct counts* counts) {
  uint64_t values[COUNTS_MOST];
  if (!read_all(counts, values)) return false;
  for (size_t i = 0; i < counts->count; ++i) counts->all[i].value = values[i] - counts->all[i].before;
  return true;
}

const uint64_t* counts_find(const struct counts* counts, const char* name, unsigned hart, unsigned rank) {
  for (size_t i = 0; i < counts->count; ++i) {
    const struct count* const count = &counts->all[i];
    if (count->at[HART] == hart && count->at[RANK] == rank && !strcmp(count->event->name, name)) return &count->value;
  }
  return NULL;
}
