// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "harts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../userland/binding.h"

static cpu_set_t allowed;  // when the program began: the first thread is bound to one hart later
static struct {
  hart_work work;
  void* argument;
  unsigned count;
  atomic_uint arrived;
} order;

unsigned harts_allowed(void) {
  if (!CPU_COUNT(&allowed)) harts_of_program(&allowed, "membench");
  return CPU_COUNT(&allowed) < HARTS ? (unsigned)CPU_COUNT(&allowed) : HARTS;
}

// A sleeping thread would begin some ten thousand cycles late: they meet awake.
static void* enter(void* hart) {
  bind_thread((uintptr_t)hart, &allowed, "membench");
  for (++order.arrived; order.arrived < order.count;) __asm__ volatile(".4byte 0x0100000f");  // pause: QEMU goes on
  order.work((unsigned)(uintptr_t)hart, order.argument);
  return NULL;
}

void harts_run(unsigned count, hart_work work, void* argument) {
  harts_allowed();
  order.work = work;
  order.argument = argument;
  order.count = count;
  order.arrived = 0;
  pthread_t threads[HARTS];
  for (unsigned hart = 1; hart < count; ++hart) {
    const int error = pthread_create(&threads[hart], NULL, enter, (void*)(uintptr_t)hart);
    if (error) {
      fprintf(stderr, "membench: thread for a hart: %s\n", strerror(error));
      exit(EXIT_FAILURE);
    }
  }
  enter((void*)(uintptr_t)0);
  for (unsigned hart = 1; hart < count; ++hart) pthread_join(threads[hart], NULL);
}
