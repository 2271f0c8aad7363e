// SPDX-License-Identifier: Apache-2.0
#include "pieces.h"

#include <stdio.h>

#include "../../userland/host_register.h"

static bool reached;
static volatile uint32_t* mtime;  // its lower half
static uint32_t ends[PIECES + 1];
static bool all_ended;

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
  ends[0] = now();  // maps the page before the work
  reached = true;
}

struct pieces pieces_begin(struct thread thread, uint64_t work) {
  const bool timed = reached && thread.number == 0;
  if (timed) ends[0] = now(), all_ended = false;
  return (struct pieces){.timed = timed, .work = work};
}

// What has been made when the piece that is being made has been.
static uint64_t end(const struct pieces* pieces) { return pieces->work * (pieces->ended + 1) / PIECES; }

// Several at once, where there are fewer operations than pieces.
static void end_what_is_made(struct pieces* pieces) {
  while (pieces->made == end(pieces) && pieces->ended < PIECES) ends[++pieces->ended] = now();
}

uint64_t pieces_next(struct pieces* pieces, uint64_t most) {
  if (!pieces->timed) return most;
  end_what_is_made(pieces);
  const uint64_t left = end(pieces) - pieces->made, some = left < most ? left : most;
  pieces->made += some;
  return some;
}

void pieces_end(struct pieces* pieces) {
  if (!pieces->timed) return;
  end_what_is_made(pieces);
  all_ended = pieces->ended == PIECES;
}

static int by_length(const void* one, const void* other) {
  const uint32_t left = *(const uint32_t*)one, right = *(const uint32_t*)other;
  return (left > right) - (left < right);
}

uint64_t pieces_latter_half(void) { return all_ended ? ends[PIECES] - ends[PIECES / 2] : 0; }

uint64_t pieces_undisturbed(void) {
  if (!all_ended) return 0;
  uint32_t lengths[PIECES];
  for (unsigned piece = 0; piece < PIECES; ++piece) lengths[piece] = ends[piece + 1] - ends[piece];
  qsort(lengths, PIECES, sizeof *lengths, by_length);
  return ((uint64_t)lengths[PIECES / 2 - 1] + lengths[PIECES / 2]) * (PIECES / 2);
}
