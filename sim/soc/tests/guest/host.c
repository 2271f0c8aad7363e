// SPDX-License-Identifier: Apache-2.0
// Asks to be frozen, then does what the host's script says, a character each:
//   w  work in memory, and print its checksum and the hart's counters
//   p  print a line as of a kernel that panics    e  print without end    h  sleep for ever
//   0 to 9  what the exit code will be
// and echoes the rest.
#include <generated/csr.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "guest.h"
#include "harts.h"

#define BYTE_VALID 0x100
#define WORDS 4096u

static uint64_t random_state = 1;

static uint64_t next_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state >> 33;
}

// Over two ranks and many rows, so that the controller has to open and close them.
static void work(void) {
  volatile uint64_t* memory = (volatile uint64_t*)0xa0000000ul;
  uint64_t sum = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    volatile uint64_t* word = memory + next_random() % WORDS * 1024;
    sum = sum * 31 + *word;
    *word = sum ^ i;
  }
  uint64_t retired;
  __asm__ volatile("csrr %0, minstret" : "=r"(retired));
  printf("sum %016" PRIx64 ", %" PRIu64 " cycles, %" PRIu64 " instructions\n", sum, cycles(), retired);
}

int main(void) {
  int code = 0;
  printf("guest begins\n");
  work();
  host_freeze_write(1);
  printf("guest goes on\n");
  for (uint32_t next; ((next = host_script_read()) & BYTE_VALID) != 0;) {
    const int c = (int)(next & 0xff);
    if (c == 'w') {
      work();
    } else if (c == 'p') {
      printf("Kernel panic - not syncing: as told\nmore\n");
    } else if (c == 'e') {
      for (;;) printf("and on ");
    } else if (c == 'h') {
      for (;;) __asm__ volatile("csrw mie, zero\nwfi");
    } else if (c >= '0' && c <= '9') {
      code = c - '0';
    } else {
      printf("script has '%c'\n", c);
    }
  }
  printf("guest ends\n");
  return code;
}
