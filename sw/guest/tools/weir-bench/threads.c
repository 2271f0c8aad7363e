// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../userland/binding.h"

static pthread_barrier_t meeting;
static void (*common_body)(struct thread thread, const void* argument);
static const void* common_argument;
static struct thread threads[MOST_THREADS];
static cpu_set_t allowed;  // when the first work began: the first thread is bound to one hart then

static void* enter(void* argument) {
  const struct thread* thread = argument;
  // Linux looks for idle harts at its ticks, and two threads on one hart may have done their work before the next.
  if (thread->count > 1) bind_thread(thread->number, &allowed, "weir-bench");
  common_body(*thread, common_argument);
  return NULL;
}

void threads_run(uint64_t count, void (*body)(struct thread thread, const void* argument), const void* argument) {
  pthread_t others[MOST_THREADS];
  if (count > 1 && !CPU_COUNT(&allowed)) harts_of_program(&allowed, "weir-bench");
  common_body = body;
  common_argument = argument;
  pthread_barrier_init(&meeting, NULL, (unsigned)count);
  for (uint64_t number = 0; number < count; ++number) threads[number] = (struct thread){number, count};
  for (uint64_t number = 1; number < count; ++number) {
    const int error = pthread_create(&others[number], NULL, enter, &threads[number]);
    if (error) {
      fprintf(stderr, "weir-bench: thread %d: %s\n", (int)number, strerror(error));
      exit(EXIT_FAILURE);
    }
  }
  enter(&threads[0]);
  for (uint64_t number = 1; number < count; ++number) pthread_join(others[number], NULL);
  pthread_barrier_destroy(&meeting);
}

void threads_meet(struct thread thread) {
  if (thread.count > 1) pthread_barrier_wait(&meeting);
}
