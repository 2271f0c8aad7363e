/* SPDX-License-Identifier: Apache-2.0 */
/** Threads that stay on a hart each. Needs _GNU_SOURCE. */
#ifndef BINDING_H
#define BINDING_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** The harts that this program may run on. Ends it, with a message that `program` begins, when they are not known. */
static inline void harts_of_program(cpu_set_t* harts, const char* program) {
  if (!sched_getaffinity(0, sizeof *harts, harts)) return;
  fprintf(stderr, "%s: ", program);
  perror("harts that may be used");
  exit(EXIT_FAILURE);
}

/** Keeps the thread that calls on number `number` of `harts`, from the first one again where there are fewer. Ends the
 * program, with a message that `program` begins, when that hart is not to be had. */
static inline void bind_thread(uint64_t number, const cpu_set_t* harts, const char* program) {
  uint64_t skip = number % (uint64_t)CPU_COUNT(harts);
  size_t hart = 0;
  while (!CPU_ISSET(hart, harts) || skip--) ++hart;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(hart, &one);
  if (!sched_setaffinity(0, sizeof one, &one)) return;
  fprintf(stderr, "%s: ", program);
  perror("binding a thread to a hart");
  exit(EXIT_FAILURE);
}

#endif
