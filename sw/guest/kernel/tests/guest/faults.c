// SPDX-License-Identifier: Apache-2.0
// What a page fault costs.
//
// faults           1024 faults on new memory, the mean of ten times: "fault=MEAN"
// faults PAGES     a cgroup with two private banks uses more than these have, while this process holds so many pages
// that
//                  may be reclaimed: "first=MEAN full=MEAN most=GREATEST lost=PAGES", of its first 1000 faults and its
//                  last 2000, of all, and how many pages this process has lost
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

enum { PAGE = 4096, LOOP = 1024, TIMES = 10, FAULTS = 8000, FIRST = 1000, LAST = 2000 };
#define GROUP "/sys/fs/cgroup/faults"

static char* map(long pages) {
  char* memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(1);
  return memory;
}

static void loop(void) {
  long sum = 0;
  // the first two fill the lists of the CPU
  for (int time = -2; time < TIMES; time++) {
    char* pages = map(LOOP);
    long start = now();
    for (int page = 0; page < LOOP; page++) pages[page * PAGE] = 1;
    if (time >= 0) sum += now() - start;
    munmap(pages, LOOP * PAGE);
  }
  printf("fault=%ld\n", sum / TIMES / LOOP);
}

static void fill_banks(void) {
  static long took[FAULTS];
  long first = 0, full = 0, most = 0;
  char* pages = map(FAULTS);
  put(GROUP "/cgroup.procs", "0");
  for (int page = 0; page < FAULTS; page++) {
    long start = now();
    pages[page * PAGE] = 1;
    took[page] = now() - start;
  }
  for (int page = 0; page < FAULTS; page++) {
    if (page < FIRST) first += took[page];
    if (page >= FAULTS - LAST) full += took[page];
    if (took[page] > most) most = took[page];
  }
  printf("first=%ld full=%ld most=%ld ", first / FIRST, full / LAST, most);
  fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc == 1) {
    loop();
    return 0;
  }
  long held = atol(argv[1]), lost = 0;
  char* pages = map(held + 1);
  for (long page = 0; page < held; page++) pages[page * PAGE] = 1;
  if (madvise(pages, (held + 1) * PAGE, MADV_FREE)) return 1;
  mkdir(GROUP, 0755);
  put(GROUP "/memory.palloc.banks", "1-2");
  put(GROUP "/memory.palloc.private", "1");
  pid_t child = fork();
  if (!child) {
    fill_banks();
    _exit(0);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status) return 1;
  for (long page = 0; page < held; page++) lost += !pages[page * PAGE];
  put(GROUP "/memory.palloc.banks", "\n");
  printf("lost=%ld\n", lost);
  return 0;
}
