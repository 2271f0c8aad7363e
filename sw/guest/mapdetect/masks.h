/* SPDX-License-Identifier: Apache-2.0 */
/** Linear algebra over GF(2): a mask of up to 64 address bits is a row vector, and chooses the bits whose parity it is.
 */
#ifndef MAPDETECT_MASKS_H
#define MAPDETECT_MASKS_H

#include <stdbool.h>
#include <stdint.h>

/** Parity of the bits of `address` that `mask` chooses. */
bool mask_parity(uint64_t address, uint64_t mask);

/** Which end of a mask names the bit that no other mask of its list keeps. */
enum pivot { PIVOT_LOWEST, PIVOT_HIGHEST };

/** The bit of `mask`, which is not 0, that stands for it. */
uint64_t mask_pivot(uint64_t mask, enum pivot pivot);

/** Brings `masks` into reduced echelon form: no mask has the pivot of another, those that depend on others are left
 * out, and they are in the order of their pivots, the lowest first.
 * @return how many are left */
unsigned masks_reduce(uint64_t* masks, unsigned count, enum pivot pivot);

/** `mask` without the pivots of `reduced`, which masks_reduce() has made. */
uint64_t mask_without(uint64_t mask, const uint64_t* reduced, unsigned count, enum pivot pivot);

#endif
