// SPDX-License-Identifier: Apache-2.0
#include "guest.h"

#include <generated/csr.h>
#include <stdint.h>
#include <stdio.h>

void guest_exit(int code) {
  while (!uart_txempty_read()) {
  }
  finisher_exit_code_write((uint32_t)code);
  for (;;) {
  }
}

/** Called by start.S for every exception: none is expected. */
_Noreturn void trap_report(unsigned long hart, unsigned long cause, unsigned long pc, unsigned long value) {
  printf("\nhart %lu: exception, mcause %lu, mepc 0x%lx, mtval 0x%lx\n", hart, cause, pc, value);
  guest_exit(GUEST_EXIT_TRAP);
}
