// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t meeting;
static void (*common_body)(struct thread thread, const void* argument);
static const void* common_argument;
static struct thread threads[MOST_THREADS];
static cpu_set_t allowed;  // when the first work began: the first thread is bound to one hart then

// Linux would look whether harts are idle while others have two threads at its ticks alone, of which a workload has
// few.
static void bind(uint64_t thread) {
  uint64_t skip = thread % (uint64_t)CPU_COUNT(&allowed);
  size_t hart = 0;
  while (!CPU_ISSET(hart, &allowed) || skip--) ++hart;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(hart, &one);
  if (sched_setaffinity(0, sizeof one, &one)) {
    perror("weir-bench: binding a thread to a hart");
    exit(EXIT_FAILURE);
  }
}

static void* enter(void* argument) {
  const struct thread* thread = argument;
  if (thread->count > 1) bind(thread->number);
  common_body(*thread, common_argument);
  return NULL;
}

void threads_run(uint64_t count, void (*body)(struct thread thread, const void* argument), const void* argument) {
  pthread_t others[MOST_THREADS];
  if (!CPU_COUNT(&allowed) && sched_getaffinity(0, sizeof allowed, &allowed)) {
    perror("weir-bench: harts that may be used");
    exit(EXIT_FAILURE);
  }
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
