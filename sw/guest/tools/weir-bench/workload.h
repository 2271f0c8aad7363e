/* SPDX-License-Identifier: Apache-2.0 */
/** A workload: what main.c needs to set it up, time it, check it and report it. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the command line asks for. */
struct settings {
  uint64_t size; /**< in the workload's own unit */
  uint64_t iterations;
  uint64_t threads;
  uint64_t seed;
  uint64_t seconds; /**< run for so long instead of `iterations`; 0: not */
};

/** Values of a setting: the default, that of --quick, and the limits. */
struct range {
  uint64_t usual, quick, least, most;
};

/** What a run has done. */
struct work {
  uint64_t operations; /**< see the workload's summary */
  uint64_t bytes;      /**< that the algorithm names; what caches add or save is not counted */
};

/** Memory of a result, for the tests to spoil. */
struct result {
  void* data;
  size_t bytes;
};

struct workload {
  const char* name;
  const char* summary;
  const char* size_unit;
  const char* operation;
  struct range size, iterations;
  bool power_of_two; /**< size is one */
  bool parallel;     /**< --threads */
  bool timed;        /**< --seconds */
  bool pieces;       /**< the first thread makes its work in pieces (pieces.h) */
  bool repeatable;   /**< once `check` has said that it is right, `run` can be called again */
  void (*prepare)(const struct settings* settings);
  struct work (*run)(const struct settings* settings); /**< the timed part */
  struct result (*result)(const struct settings* settings);
  /** Whether the result is right, found in another way than `run` found it. */
  bool (*check)(const struct settings* settings);
};

extern const struct workload anneal, bfs, chase, gups, gups_hot, hashjoin, spmv, stencil, stream;

/** Zeroed memory for the rest of the program's life; ends the program when there is none. */
void* take(size_t bytes);

#endif
