/* SPDX-License-Identifier: Apache-2.0 */
/** What is counted: which events, for which harts and ranks, and how much each has grown. */
#ifndef COUNTS_H
#define COUNTS_H

#include "pmu.h"

enum { COUNTS_MOST = 1024, SELECTED_MOST = 64 };

/** Harts or ranks that the user chose. */
struct selection {
  bool is_given;
  bool has[SELECTED_MOST];
};

/** An event at one place. */
struct count {
  const struct event* event;
  unsigned at[DIMENSIONS];
  uint64_t before;
  uint64_t value; /**< what it has grown by */
};

/** All that is counted together; the first is always the cycles. */
struct counts {
  struct count all[COUNTS_MOST];
  size_t count;
  int leader;           /**< file descriptor of the first */
  uint64_t nanoseconds; /**< for which they have counted */
};

/**
 * Chooses numbers from text as `0,2-3`.
 * @param what  what the numbers are, for the error
 * @param size  numbers are below this
 * @return whether the text is right; what is wrong is said on stderr if not
 */
bool selection_parse(struct selection* selection, const char* what, const char* text, unsigned size);

/** Adds an event for all channels and buckets and the selected harts and ranks. @return whether there is room */
bool counts_add(struct counts* counts, const struct pmu* pmu, const struct event* event, const struct selection* harts,
                const struct selection* ranks);

/**
 * Opens all, as one group.
 * @param started  they begin to count; else that is left to who has `leader`
 * @return whether the kernel counts everything; what it refuses is said on stderr if not
 */
bool counts_open(struct counts* counts, const struct pmu* pmu, bool started);

/** Takes what was counted up to now for the beginning. @return whether it could be read, as counts_open() */
bool counts_begin(struct counts* counts);

/** Takes what was counted since the beginning. @return whether it could be read, as counts_open() */
bool counts_end(struct counts* counts);

/** @return what an event has counted at a hart and a rank; NULL if it was not counted there */
const uint64_t* counts_find(const struct counts* counts, const char* name, unsigned hart, unsigned rank);

#endif
