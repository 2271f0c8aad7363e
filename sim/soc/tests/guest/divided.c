// SPDX-License-Identifier: Apache-2.0
// Follows a chain of loads through two ranks and many rows, with the memory's clock divided by 1, 4, 16 and 64,
// writes its links anew on the way, and prints the cycles that each pass took. The exit code is the number of loads
// that were wrong.
#include <generated/csr.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "harts.h"

#define LINKS 1024u
#define STRIDE 1021u      // a prime, so that the chain comes to every link
#define LINK_BYTES 8256u  // a row of both ranks and a line more

static volatile uint64_t* link(unsigned number) {
  return (volatile uint64_t*)(0xa0000000ul + (uint64_t)number * LINK_BYTES);
}

int main(void) {
  int wrong = 0;
  for (unsigned i = 0; i < LINKS; ++i) *link(i) = (i + STRIDE) % LINKS;
  for (uint32_t divider = 1; divider <= 64; divider *= 4) {
    memory_clock_divider_write(divider);
    const uint64_t begin = cycles();
    unsigned at = 0;
    for (unsigned i = 1; i <= LINKS; ++i) {
      const unsigned next = (unsigned)*link(at);
      wrong += next != i * STRIDE % LINKS;
      *link(at) = next;
      at = next % LINKS;
    }
    const uint64_t took = cycles() - begin;
    memory_clock_divider_write(1);
    printf("divider %" PRIu32 ": %" PRIu64 " cycles\n", divider, took);
  }
  return wrong;
}
