/* SPDX-License-Identifier: Apache-2.0 */
/** Streams and random accesses over a buffer, timed and checked. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stdbool.h>
#include <stdint.h>

/** A measured span of time, in cycles since reset. */
struct span {
  uint64_t start, end;
};

/** A kind of access. `run` works on a buffer of `footprint` bytes (a power of two) at `base`, notes when the timed part
 * began and ended, and says whether all data were right. The kinds of a group are run in the order of the table, since
 * those that read expect what those that write have left. */
struct access_kind {
  const char* name;
  bool random; /**< else sequential */
  bool (*run)(uintptr_t base, uint64_t footprint, struct span* timed);
};

extern const struct access_kind access_kinds[];
extern const unsigned access_kind_count;

/** Bytes that a run over `footprint` bytes moves between hart and memory. A copy reads half of its buffer and writes
 * the other; a random access uses one word of a line, but the whole line is moved. What write-allocation reads and
 * evictions write besides is not counted. */
uint64_t bytes_moved(const struct access_kind* kind, uint64_t footprint);

#endif
