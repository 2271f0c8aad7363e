// SPDX-License-Identifier: Apache-2.0
#include "meeting.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void meet(const char* file, uint64_t programs) {
  const int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  uint64_t* const come = descriptor < 0 || ftruncate(descriptor, sizeof *come)
                             ? MAP_FAILED
                             : mmap(NULL, sizeof *come, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (come == MAP_FAILED) {
    fprintf(stderr, "weir-bench: --meet %s: %s\n", file, strerror(errno));
    exit(EXIT_FAILURE);
  }
  close(descriptor);
  if (__atomic_add_fetch(come, 1, __ATOMIC_ACQ_REL) > programs) {
    fprintf(stderr, "weir-bench: --meet %s: %" PRIu64 " programs have met there already\n", file, programs);
    exit(EXIT_FAILURE);
  }
  while (__atomic_load_n(come, __ATOMIC_ACQUIRE) < programs) continue;
  munmap(come, sizeof *come);
}
