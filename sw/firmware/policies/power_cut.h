/* SPDX-License-Identifier: Apache-2.0 */
/** A run that may lose its power at any time, and what the next one finds. */
#ifndef POWER_CUT_H
#define POWER_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "recovery.h"
#include "workload.h"

/** Flushes what the workload has done so far home, and notes in NVM how many accesses that are.
 * @return false if the flush was not done */
bool checkpoint_take(uint32_t accesses);

/** Accesses up to the last checkpoint that NVM has; 0 without any. */
uint32_t checkpoint_kept(void);

/** After a cut, with remapping enabled anew: prints what was found and compares the workload with what it must be.
 * @return words that are wrong */
uint32_t report_cut(const struct workload* workload, const struct recovery_found* found);

#endif
