/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that wait for each other. */
#ifndef MEETING_H
#define MEETING_H

#include <stdint.h>

enum { MOST_PROGRAMS = 64 };

/** A file by which so many programs meet, once. */
struct meeting {
  const char* file;
  struct place* place;
  uint32_t programs;
};

/** Makes the file if it is not there, and maps it; ends the program when it cannot be shared. */
struct meeting meeting_reach(const char* file, uint32_t programs);

/** Sleeps until all but one of the programs have come. */
void meeting_await_others(const struct meeting* meeting);

/** Waits until all programs have come here. Who is early sleeps, so that its hart is as quiet as if it were not there;
 * all spin until the last is awake, as none is to be woken right while others are timed, so each needs a hart of its
 * own. Ends the program when the file has seen as many programs already. */
void meet(const struct meeting* meeting);

#endif
