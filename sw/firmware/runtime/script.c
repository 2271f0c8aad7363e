// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include <system.h>
// csr.h finds its accessors in system.h
#include <generated/csr.h>

#ifdef CSR_HOST_BASE  // boards have no script

#define BYTE_VALID 0x100u
#define MOST_DIGITS 9u

bool script_number(uint32_t* value, uint32_t least, uint32_t greatest) {
  uint32_t sum = 0;
  unsigned digits = 0;
  for (;;) {
    const uint32_t next = host_script_read();
    const uint32_t digit = (next & 0xff) - '0';
    if (!(next & BYTE_VALID) || digit > 9) break;
    if (++digits > MOST_DIGITS) return false;
    sum = 10 * sum + digit;
  }
  if (digits == 0 || sum < least || sum > greatest) return false;
  *value = sum;
  return true;
}

#endif
