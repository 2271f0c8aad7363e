// SPDX-License-Identifier: Apache-2.0
// Each hart writes and reads back a range of its own, in which nothing else happens: 16 KiB, four times its data cache,
// at 0xa0000000 + hart * 16 MiB.
#include <stdbool.h>
#include <stdint.h>

#include "harts.h"

#define WORDS (16u * 1024 / 8)

static struct {
  bool right;
} __attribute__((aligned(CACHE_LINE))) outcomes[HARTS];

static void touch(unsigned hart, void* argument) {
  (void)argument;
  volatile uint64_t* range = (volatile uint64_t*)(0xa0000000ul + hart * 0x1000000ul);
  bool right = true;
  for (uint64_t i = 0; i < WORDS; ++i) range[i] = i + hart;
  for (uint64_t i = 0; i < WORDS; ++i) right &= range[i] == i + hart;
  outcomes[hart].right = right;
}

int main(void) {
  harts_run(HARTS, touch, 0);
  int wrong = 0;
  for (unsigned hart = 0; hart < HARTS; ++hart) wrong += !outcomes[hart].right;
  return wrong;
}
