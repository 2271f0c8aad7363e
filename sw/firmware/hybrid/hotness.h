/* SPDX-License-Identifier: Apache-2.0 */
/** The controller's counters of accesses to the NVM region, in two stages (Rainbow, section III-B), and its hot list.
 */
#ifndef HYBRID_HOTNESS_H
#define HYBRID_HOTNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"

/** A page of the hot list. */
struct hot_page {
  uint32_t page;   ///< number from the first byte of memory
  uint32_t count;  ///< when it was put on the list
};

struct hot_shape {
  uint32_t slots;            ///< for chosen superpages
  uint32_t superpages;       ///< counters of superpages
  uint32_t first_superpage;  ///< of the region
};

struct hot_shape hot_shape(void);

/** Reads that a write counts for, 1 to 31. */
enum hybrid_error hot_weights(uint32_t superpage_write, uint32_t page_write);

/** Count of a page at which it goes on the hot list, 1 to 32767. */
enum hybrid_error hot_threshold(uint32_t count);

/** Clears the counters and begins an interval of so many controller cycles; `periodic` begins the next at its end. */
void hot_start(bool superpages, bool pages, bool periodic, uint32_t cycles);
void hot_stop(void);

/** Whether the counters stand still, so that they can be read. */
bool hot_is_idle(void);

/** Reads the counters of superpages from the first of the region on, two of 16 bits in each word. */
enum hybrid_error hot_read_superpages(uint16_t* counts, uint32_t count);

/** Reads the 512 counters of the pages of a slot: bits 14:0 the count, bit 15 that it has overflowed. */
enum hybrid_error hot_read_pages(uint32_t slot, uint16_t* counts);

/** The superpages that are counted page by page, from the next start on; slots beyond `count` are emptied. */
enum hybrid_error hot_choose(const uint32_t* superpages, uint32_t count);

/** The places of the `most` greatest counts of at least `least`, the greatest first. @return how many they are */
uint32_t hot_greatest(const uint16_t* counts, uint32_t count, uint32_t least, uint32_t* places, uint32_t most);

/** Takes the oldest page from the hot list. HYBRID_NONE_LEFT if it is empty. */
enum hybrid_error hot_take(struct hot_page* page);

#endif
