// SPDX-License-Identifier: Apache-2.0
#include "meeting.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct place {
  uint32_t come, awake;
};

_Noreturn static void fail(const char* file, const char* why) {
  fprintf(stderr, "weir-bench: --meet %s: %s\n", file, why);
  exit(EXIT_FAILURE);
}

struct meeting meeting_reach(const char* file, uint32_t programs) {
  const int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct place* const place = descriptor < 0 || ftruncate(descriptor, sizeof *place)
                                  ? MAP_FAILED
                                  : mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (place == MAP_FAILED) fail(file, strerror(errno));
  close(descriptor);
  return (struct meeting){file, place, programs};
}

// Sleeps until so many have come, which may be more by then. All have been woken when the number changes.
static void sleep_until(struct place* place, uint32_t programs) {
  for (uint32_t come; (come = __atomic_load_n(&place->come, __ATOMIC_ACQUIRE)) < programs;)
    syscall(SYS_futex, &place->come, FUTEX_WAIT, come, NULL, NULL, 0);
}

void meeting_await_others(const struct meeting* meeting) { sleep_until(meeting->place, meeting->programs - 1); }

void meet(const struct meeting* meeting) {
  struct place* const place = meeting->place;
  if (__atomic_add_fetch(&place->come, 1, __ATOMIC_ACQ_REL) > meeting->programs) {
    char why[60];
    snprintf(why, sizeof why, "%" PRIu32 " programs have met there already", meeting->programs);
    fail(meeting->file, why);
  }
  syscall(SYS_futex, &place->come, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  sleep_until(place, meeting->programs);
  __atomic_add_fetch(&place->awake, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&place->awake, __ATOMIC_ACQUIRE) < meeting->programs) continue;
}
