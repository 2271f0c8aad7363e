/* SPDX-License-Identifier: Apache-2.0 */
/** Access to LiteX's CSRs, as the generated csr.h asks for it: over the core's control bus. */
#ifndef SYSTEM_H
#define SYSTEM_H

#define CSR_ACCESSORS_DEFINED

void csr_write_simple(unsigned long value, unsigned long address);
unsigned long csr_read_simple(unsigned long address);

#endif
