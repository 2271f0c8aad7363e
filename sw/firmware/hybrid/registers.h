/* SPDX-License-Identifier: Apache-2.0 */
/** Weir's registers, and what its tables of pages count in. */
#ifndef HYBRID_REGISTERS_H
#define HYBRID_REGISTERS_H

#include "weir_registers.h"

#define PAGE_BYTES 4096u
#define PAGES_PER_SUPERPAGE 512u

#endif
