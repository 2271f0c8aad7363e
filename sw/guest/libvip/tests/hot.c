// SPDX-License-Identifier: Apache-2.0
/* Uses pages of a node until most of them are elsewhere, or for a minute at most. `hot NODE COMMAND` runs the shell's
 * COMMAND, which has pages moved, once all pages are there, and prints how many of 1024 pages lie in NODE in the end,
 * and how many of 1024 that were not used meanwhile. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 1024, BIND = 2, NODE_OF_ADDRESS = 3 /* MPOL_F_NODE | MPOL_F_ADDR */, SECONDS = 60 };

static char* pages_of(int node) {
  unsigned long mask = 1ul << node;
  char* memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || syscall(SYS_set_mempolicy, BIND, &mask, sizeof mask * 8)) exit(1);
  memset(memory, 1, PAGES * PAGE);
  if (syscall(SYS_set_mempolicy, 0, NULL, 0)) exit(1);
  return memory;
}

static int count(const char* memory, int node) {
  int found = 0;
  for (int page = 0; page < PAGES; page++) {
    int of = -1;
    if (syscall(SYS_get_mempolicy, &of, NULL, 0, memory + page * PAGE, NODE_OF_ADDRESS)) exit(1);
    found += of == node;
  }
  return found;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int node = atoi(argv[1]);
  char* cold = pages_of(node);
  pages_of(node);  // between the two: DAMON moves whole regions of some hundred pages
  volatile char* hot = pages_of(node);
  if (system(argv[2])) return 1;
  time_t end = time(NULL) + SECONDS;
  int left = PAGES;
  while (left > PAGES / 10 && time(NULL) < end) {
    for (int pass = 0; pass < 1000; pass++)
      for (int page = 0; page < PAGES; page++) hot[page * PAGE]++;
    left = count((char*)hot, node);
  }
  printf("hot=%d cold=%d\n", left, count(cold, node));
  return 0;
}
