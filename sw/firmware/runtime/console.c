// SPDX-License-Identifier: Apache-2.0
// stdout on LiteX's UART, polled. For hart 0 only.

#include <system.h>
// csr.h finds its accessors in system.h
#include <generated/csr.h>
#include <stdio.h>

static int put(char c, FILE* file) {
  (void)file;
  if (c == '\n') put('\r', file);
  while (uart_txfull_read()) {
  }
  uart_rxtx_write((uint8_t)c);
  return (unsigned char)c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);

FILE* const stdout = &console;
