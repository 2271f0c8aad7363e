/* SPDX-License-Identifier: Apache-2.0 */
/** One program on all harts at once, each in memory of its own. */
#ifndef RANKS_PROGRAMS_H
#define RANKS_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "places.h"

struct program {
  bool updates;         ///< adds 1 to words, which wait for no other; else loads, each of which needs the one before
  bool own_rank;        ///< see placement_of
  uint32_t bytes;       ///< of each hart, a power of two; the first word of a line drawn at random is used
  uint32_t operations;  ///< of hart 0 that are timed; the others go on until it is done
  uint32_t divider;     ///< of the memory's clock while the program runs
  struct geometry geometry;
};

/** Runs it. @return cycles of what is timed; `begin` and `end` are called by hart 0 before and after it. */
uint64_t program_run(const struct program* program, void (*begin)(void), void (*end)(void));

/** By how much the sums of the harts' words differ from the updates they made (from 0 after a chase), together. */
uint64_t program_check(const struct program* program);

#endif
