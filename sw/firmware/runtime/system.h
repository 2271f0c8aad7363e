/* SPDX-License-Identifier: Apache-2.0 */
/** Access to LiteX's CSRs, as the generated csr.h asks for it. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdint.h>

#define CSR_ACCESSORS_DEFINED

static inline void csr_write_simple(unsigned long value, unsigned long address) {
  *(volatile uint32_t*)address = (uint32_t)value;
}

static inline unsigned long csr_read_simple(unsigned long address) { return *(volatile uint32_t*)address; }

#endif
