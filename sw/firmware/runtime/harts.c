// SPDX-License-Identifier: Apache-2.0
#include "harts.h"

#include "stack.h"

__attribute__((aligned(16), section(".stacks"), used)) char stacks[HARTS][STACK_BYTES];

struct line {
  volatile uint64_t value;
} __attribute__((aligned(CACHE_LINE)));

static struct {
  hart_work work;
  void* argument;
} order;
static uint64_t turn;
static struct line started[HARTS];  // written by hart 0: the turn that this hart is to work in
static struct line done[HARTS];     // written by the hart: the last turn it has finished

static void fence(void) { __asm__ volatile("fence rw, rw" ::: "memory"); }

void harts_run(unsigned count, hart_work work, void* argument) {
  order.work = work;
  order.argument = argument;
  ++turn;
  fence();
  for (unsigned hart = 1; hart < count; ++hart) started[hart].value = turn;
  work(0, argument);
  for (unsigned hart = 1; hart < count; ++hart) {
    while (done[hart].value != turn) {
    }
  }
  fence();
}

/** Where harts other than 0 live, called by start.S. */
_Noreturn void hart_serve(unsigned hart) {
  for (uint64_t seen = 0;;) {
    while (started[hart].value == seen) {
    }
    seen = started[hart].value;
    fence();
    order.work(hart, order.argument);
    fence();
    done[hart].value = seen;
  }
}
