/* SPDX-License-Identifier: Apache-2.0 */
/** Pages of the NVM region that live in DRAM: tables and frames, and what the controller counts. */
#ifndef HYBRID_REMAP_H
#define HYBRID_REMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"

/** Places are numbers of pages of 4 KiB from the first byte of memory. */
struct remap_layout {
  bool
      pointer_table;  ///< pointers stand in a table in the region, which survives a power cut; else in the pages' homes
  uint32_t bitmap_page;   ///< bitmaps, in DRAM: 64 bytes for each superpage of the region
  uint32_t pointer_page;  ///< table of pointers, in the region: 8 bytes for each page of it
  uint32_t first_frame, frames;
};

/** Counters of the controller since reset, modulo 2^32; the order is that of remap_counter_index. */
struct remap_counts {
  uint32_t bitmap_hits, bitmap_misses, pointer_hits, pointer_misses, redirected_reads, redirected_writes;
};

uint32_t remap_first_page(void);  ///< of the region
uint32_t remap_pages(void);       ///< of the region

/** Clears the bitmaps and enables remapping with all pages at home. The table of pointers must be clear
 * (recovery_run()). Nobody else may access the region meanwhile.
 * @return HYBRID_REFUSED if the controller refuses a place; then remapping stays disabled */
enum hybrid_error remap_start(const struct remap_layout* layout);

/** Disables remapping. @return HYBRID_REFUSED if a command of the mover is not completed */
enum hybrid_error remap_stop(void);

/** Which of frames 32 block to 32 block + 31 are dirty (or used), a bit for each. */
uint32_t remap_frame_states(uint32_t block, bool dirty);

struct remap_counts remap_counts(void);

/** Whether a pointer was found that led to no frame, since it was asked last. */
bool remap_had_bad_pointer(void);

#endif
