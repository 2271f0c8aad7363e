/* SPDX-License-Identifier: Apache-2.0 */
/** Address maps as docs/address-maps.md defines them, for one channel: what lies where, so that a program can move
 * itself when the map changes. */
#ifndef MAPDETECT_PLACES_H
#define MAPDETECT_PLACES_H

#include <stdint.h>

enum { BANK_BITS = 3, COLUMN_BITS = 7, FIRST_BIT = 6, END_BIT = 31 };

/** Masks over bytes from the first of memory; the lowest bit of each is in no other, and own to it. */
struct masks {
  uint32_t rank;
  uint32_t bank[BANK_BITS];
};

/** Where under the map `old` those bytes lie that lie at `offset` under the map `new`. */
uint32_t offset_before(const struct masks* old, const struct masks* new, uint32_t offset);

#endif
