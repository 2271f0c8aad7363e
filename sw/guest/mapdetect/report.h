/* SPDX-License-Identifier: Apache-2.0 */
/** A map as text. */
#ifndef MAPDETECT_REPORT_H
#define MAPDETECT_REPORT_H

#include "detect.h"

/** Prints a line for each bit, its name and its mask, as Weir's driver names and shows them in its folder address_map:
 * `rank0 0x10000`. Column bits below `first_bit`, of a burst of eight beats that fills a line, come first. */
void report_map(const struct address_map* map, unsigned first_bit);

#endif
