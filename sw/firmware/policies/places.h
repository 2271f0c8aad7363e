/* SPDX-License-Identifier: Apache-2.0 */
/** Where everything lies, from the first byte of memory. */
#ifndef PLACES_H
#define PLACES_H

#include <generated/mem.h>

#define MIB (1024u * 1024u)
#define PAGES_OF(bytes) ((bytes) / 4096u)

/** In DRAM: bitmaps, the workload where it is in DRAM by its address, frames. */
#define BITMAPS (16 * MIB)
#define WORKLOAD_IN_DRAM (64 * MIB)
#define FRAMES (128 * MIB)

/** From the region's first byte on: table of pointers, note of the last checkpoint, the workload, pages to be measured.
 */
#define REGION (1024 * MIB)
#define POINTERS REGION
#define CHECKPOINT (REGION + 32 * MIB)
#define WORKLOAD_IN_NVM (REGION + 64 * MIB)
#define MEASURED (REGION + 256 * MIB)

#define ADDRESS(place) ((uintptr_t)MAIN_RAM_BASE + (place))

#endif
