/* SPDX-License-Identifier: Apache-2.0 */
/** Memory of which a program knows where it lies in DRAM. */
#ifndef MAPDETECT_MEMORY_H
#define MAPDETECT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/** A block of memory of 2 to the power of `bits` bytes that begins at a multiple of its size. */
struct memory {
  uint64_t physical;  ///< address of its first byte
  unsigned bits;
};

/** Allocates `bytes` and takes the largest block of it, by /proc/self/pagemap. What fails is said on stderr. */
bool memory_allocate(uint64_t bytes, struct memory* memory);

/** Takes a block that Linux does not use, through /dev/mem. What fails is said on stderr. */
bool memory_map(struct memory memory);

/** The address of a byte of the block that was taken last. */
uintptr_t memory_address(uint64_t offset);

#endif
