// SPDX-License-Identifier: Apache-2.0
#include "pieces.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../userland/host_register.h"

static bool timed;
static volatile uint32_t* mtime;  // its lower half
static uint32_t ends[PIECES + 1];
static unsigned ended;

// Differences of two are right as long as they are less than 2^32.
static uint32_t now(void) {
  if (mtime) return *mtime;
  uint64_t value;
  __asm__ volatile("rdtime %0" : "=r"(value)::"memory");
  return (uint32_t)value;
}

void pieces_reach(void) {
  const char* problem;
  mtime = host_register("mtime", &problem);
  if (problem) {
    fprintf(stderr, "weir-bench: mtime %s\n", problem);
    exit(EXIT_FAILURE);
  }
  ends[0] = now();
  timed = true;
}

void pieces_begin(void) {
  if (timed) ends[0] = now();
}

void pieces_end(void) {
  if (timed && ended < PIECES) ends[++ended] = now();
}

static int by_length(const void* one, const void* other) {
  const uint32_t left = *(const uint32_t*)one, right = *(const uint32_t*)other;
  return (left > right) - (left < right);
}

uint64_t pieces_undisturbed(void) {
  if (ended < PIECES) return 0;
  uint32_t lengths[PIECES];
  for (unsigned piece = 0; piece < PIECES; ++piece) lengths[piece] = ends[piece + 1] - ends[piece];
  qsort(lengths, PIECES, sizeof *lengths, by_length);
  return ((uint64_t)lengths[PIECES / 2 - 1] + lengths[PIECES / 2]) * (PIECES / 2);
}
