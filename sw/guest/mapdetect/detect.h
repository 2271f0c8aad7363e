/* SPDX-License-Identifier: Apache-2.0 */
/** Finds the address map of a DRAM by the time that reads take: docs/map-detection.md has the method. */
#ifndef MAPDETECT_DETECT_H
#define MAPDETECT_DETECT_H

#include <stdbool.h>
#include <stdint.h>

enum {
  MOST_FUNCTIONS = 8,  ///< of channel, rank and bank together: 256 banks
  MOST_BITS = 64,
  MOST_READS = 4,      ///< in a round
  TICK_FRACTION = 256  ///< levels are in parts of a tick of the back end's clock
};

/** Reads of which each waits for the one before, over and over: of the addresses base ^ offsets[i] in their order. The
 * back end chooses another base in each call, at random. Lines are far enough from each other to evict each other from
 * the caches in each round if the machine was described rightly. */
struct reads {
  uint64_t offsets[MOST_READS];
  unsigned count;
  unsigned rounds;
};

/** Reads that are timed one by one, to see refreshes. A read is slow if it takes more than its usual time and half of
 * `contrast`, which is in parts of a tick. */
struct watch {
  struct reads reads;
  uint8_t group[MOST_READS];  ///< 0 or 1: the reads that are watched for each other; 2: of no interest
  uint64_t contrast;
};

/** Added up by each call: rounds in which a read of a group was slow, and those of group 1 of which one of group 0 was
 * so in the same round or the one before or after. */
struct coincidences {
  uint32_t events[2];
  uint32_t both;
};

/** The machine, and the back end that reads its memory. */
struct machine {
  unsigned first_bit;  ///< the lowest address bit that two lines can differ in
  unsigned end_bit;    ///< one above the highest address bit that is to be found
  /** Address bits that choose the set of a direct-mapped cache: lines that are equal in them evict each other. 0 where
   * the back end itself sees to it that nothing is cached. */
  uint64_t set_bits;
  unsigned rounds;  ///< of MOST_READS reads for each time that is taken; twice as many where rounds have half as many
  /** Ticks that the reads took. False if there is no base for them. */
  bool (*time)(void* context, const struct reads* reads, uint64_t* ticks);
  /** NULL where single reads cannot be timed. */
  bool (*watch)(void* context, const struct watch* watch, struct coincidences* seen);
  void* context;
};

/** Masks over the address bits from first_bit to end_bit, lowest first; column bits are those above first_bit. */
struct address_map {
  unsigned ranks, banks, rows, columns;  ///< bits of each
  uint64_t rank[MOST_FUNCTIONS], bank[MOST_FUNCTIONS];
  uint64_t row[MOST_BITS], column[MOST_BITS];
};

enum verdict {
  CERTAIN,        ///< all was found, and what it predicts was measured
  NO_CONTRAST,    ///< reads of all pairs of lines take the same time
  NO_EVICTION,    ///< the lowest address bits cannot be told: nothing evicts without being in the way
  UNSTEADY,       ///< the same pair of lines took now short, now long
  TOO_MANY,       ///< more functions than MOST_FUNCTIONS
  CONTRADICTED,   ///< times differ from what the map predicts: it is not linear, or wrong
  NO_PAIRS,       ///< the back end has no lines that differ as needed
  RANKS_UNKNOWN,  ///< channel, rank and bank functions were found, but not which of them are of ranks
  VERDICTS
};

/** What was measured, beside the map. Levels are of one read, in parts of a tick. */
struct measured {
  uint64_t low, high;    ///< reads without and with a conflict of rows in a bank
  uint32_t times;        ///< calls of machine.time
  uint32_t predictions;  ///< pairs of lines by which the map was tried
  uint64_t doubtful;     ///< the difference of addresses at which it ended, if not CERTAIN
};

/** Finds the map. With RANKS_UNKNOWN `map` has all functions as those of banks; with any other verdict but CERTAIN it
 * holds nothing. */
enum verdict detect(const struct machine* machine, struct address_map* map, struct measured* measured);

/** A sentence about a verdict. */
const char* verdict_text(enum verdict verdict);

#endif
