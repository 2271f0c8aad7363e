/* SPDX-License-Identifier: Apache-2.0 */
/** After a power cut: NVM alone holds what it held, and DRAM nothing. For pointers in a table (remap_control.pointers).
 */
#ifndef HYBRID_RECOVERY_H
#define HYBRID_RECOVERY_H

#include <stdint.h>

#include "errors.h"

/** Where pages and frames were when the power was cut, as numbers of pages from the first byte of memory. */
struct recovery_layout {
  uint64_t first_page, pages;    ///< of the region; the table has an entry for each
  uint64_t first_frame, frames;  ///< in DRAM
};

/** What was found. */
struct recovery_found {
  uint64_t in_dram;  ///< pages that lived in DRAM: their homes hold what was written back last
  uint64_t bad;      ///< entries that say they are valid but name no frame: not of this layout, or damaged
};

/** Walks the table of pointers and clears it, so that remapping can be enabled with all pages at home. To be called
 * before remapping is enabled; the bitmaps in DRAM are lost anyhow and cleared by remap_start().
 *
 * @param table   in NVM
 * @param layout  HYBRID_RANGE, and nothing is cleared, for one that no memory has: no page or no frame, frames that
 *                reach into the region, or pages that an address of 64 bits does not reach
 * @param in_dram takes the numbers of the pages that lived in DRAM, in ascending order; null if nobody wants them
 * @param room    of `in_dram`. HYBRID_RANGE, and nothing is cleared, if they are more */
enum hybrid_error recovery_run(volatile uint64_t* table, const struct recovery_layout* layout, uint64_t* in_dram,
                               uint64_t room, struct recovery_found* found);

#endif
