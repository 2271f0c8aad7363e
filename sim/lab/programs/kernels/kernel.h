// SPDX-License-Identifier: Apache-2.0
// What the kernels have in common: two numbers on the command line, chance from a seed, and an end that tells whether
// the result is right. A kernel is started as `NAME SIZE ROUNDS`; exit status 0, 1 for a wrong result, 2 for a wrong
// argument.
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  uint64_t size, rounds;
} Arguments;

/// SIZE from `least` to `most`, ROUNDS at least 1; ends the program if they are not.
static inline Arguments arguments(int argc, char** argv, uint64_t least, uint64_t most) {
  Arguments found = {0, 0};
  char *size_end = NULL, *rounds_end = NULL;
  if (argc == 3) {
    found.size = strtoull(argv[1], &size_end, 10);
    found.rounds = strtoull(argv[2], &rounds_end, 10);
  }
  if (argc != 3 || *size_end != '\0' || *rounds_end != '\0' || found.size < least || found.size > most ||
      found.rounds < 1) {
    fprintf(stderr, "usage: %s SIZE ROUNDS, SIZE from %llu to %llu, ROUNDS at least 1\n", argv[0],
            (unsigned long long)least, (unsigned long long)most);
    exit(2);
  }
  return found;
}

/// Zeros. A page of them is made when it is written first, for the thread that writes it.
static inline void* untouched_memory(uint64_t count, uint64_t bytes) {
  void* found = calloc(count, bytes);
  if (found == NULL) {
    fprintf(stderr, "%llu times %llu bytes of memory cannot be had\n", (unsigned long long)count,
            (unsigned long long)bytes);
    exit(2);
  }
  return found;
}

/// Zeros in pages that are made already: what is captured would else have Linux at work on each page that a round is
/// the first to write.
static inline void* memory(uint64_t count, uint64_t bytes) {
  enum { PAGE = 4096 };
  volatile char* found = untouched_memory(count, bytes);
  for (uint64_t at = 0; at < count * bytes; at += PAGE) found[at] = 0;
  if (count * bytes != 0) found[count * bytes - 1] = 0;
  return (void*)found;
}

/// The data are made, the rounds begin: what is captured (../capture) begins here.
static inline void ready(void) {
#ifdef __riscv
  __asm__ volatile("ori x0, x0, 0x7a3" ::: "memory");
#endif
}

/// Tells, in a line of the standard error, which node the kernel's Rank Assignment has for this thread, which is a rank
/// in what is captured; nothing where it has none.
static inline void tell_rank(void) {
  enum { PAGE = 4096, PAGES = 64, NODES = 4, PREFERRED_MANY = 5, OF_ADDRESS = 1 << 0 | 1 << 1 };
  int mode = 0, found[NODES] = {0}, best = 0;
  if (syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) != 0 || mode != PREFERRED_MANY) return;
  // Some of its pages may be elsewhere on purpose.
  char* pages = mmap(NULL, PAGE * PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  for (int page = 0; page < PAGES; page++) {
    int node = -1;
    pages[page * PAGE] = 1;
    if (syscall(SYS_get_mempolicy, &node, NULL, 0, &pages[page * PAGE], OF_ADDRESS) == 0 && node >= 0 && node < NODES)
      found[node]++;
  }
  munmap(pages, PAGE * PAGES);
  for (int node = 1; node < NODES; node++)
    if (found[node] > found[best]) best = node;
  fprintf(stderr, "hart %d prefers rank %d\n", sched_getcpu(), best);
}

/// The same as `ready` on each thread that OpenMP has here, of a kernel whose work is on all of them: eight when it may
/// use eight harts, one when it is kept on one.
static inline void ready_threads(void) {
#ifdef _OPENMP
#pragma omp parallel
#endif
  {
    tell_rank();
    ready();
  }
}

/// xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled").
static inline uint64_t chance(uint64_t* state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 0x2545f4914f6cdd1d;
}
/// From 0 to below `limit`.
static inline uint64_t below(uint64_t* state, uint64_t limit) { return chance(state) % limit; }
/// From 0 to below 1.
static inline double fraction(uint64_t* state) { return (double)(chance(state) >> 11) * 0x1p-53; }

/// The exit status, told in a line with a number that depends on all of the work.
static inline int end(const char* name, bool right, double value) {
  printf("%s: %s, %.9g\n", name, right ? "right" : "WRONG", value);
  return right ? 0 : 1;
}
