/* SPDX-License-Identifier: Apache-2.0 */
/** Whether two lines lie in different rows of one bank, as reads that alternate between them tell. */
#ifndef MAPDETECT_CONFLICTS_H
#define MAPDETECT_CONFLICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "detect.h"

/** What is asked and known of a machine. Once `verdict` is not CERTAIN, nothing more is measured. */
struct conflicts {
  const struct machine* machine;
  struct measured* measured;
  enum verdict verdict;
  uint64_t random;
  uint64_t evictor[2];   ///< differences to the lines that evict; 0: none
  uint64_t conflicting;  ///< lines that differ so lie in different rows of one bank
};

/** A number by chance. */
uint64_t conflicts_random(struct conflicts* conflicts);

/** Ends the detection. @return false */
bool conflicts_fail(struct conflicts* conflicts, enum verdict verdict, uint64_t difference);

/** Finds the two levels of time by lines that evict each other, and `conflicting`. False if that fails. */
bool conflicts_calibrate(struct conflicts* conflicts);

/** Whether lines that differ by `difference` lie in different rows of one bank. */
bool conflicts_between(struct conflicts* conflicts, uint64_t difference);

/** Whether lines that differ by `difference` lie in one bank, be it in one row. */
bool conflicts_same_bank(struct conflicts* conflicts, uint64_t difference);

/** The reads of a round for lines that differ by `difference`, and by `evictor` where these do not evict each other. */
struct reads conflicts_reads(const struct conflicts* conflicts, uint64_t difference, uint64_t evictor);

#endif
