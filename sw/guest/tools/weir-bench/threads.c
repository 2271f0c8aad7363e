// SPDX-License-Identifier: Apache-2.0
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t meeting;
static void (*common_body)(struct thread thread, const void* argument);
static const void* common_argument;
static struct thread threads[MOST_THREADS];

static void* enter(void* thread) {
  common_body(*(struct thread*)thread, common_argument);
  return NULL;
}

void threads_run(uint64_t count, void (*body)(struct thread thread, const void* argument), const void* argument) {
  pthread_t others[MOST_THREADS];
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
