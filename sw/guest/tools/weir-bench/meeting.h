/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that wait for each other. */
#ifndef MEETING_H
#define MEETING_H

#include <stdint.h>

enum { MOST_PROGRAMS = 64 };

/** Waits until so many programs have come here with the same file, which the first makes. Each spins, as none is to be
 * put to sleep right before it is timed, so each needs a hart of its own. A file serves one meeting. Ends the program
 * when the file cannot be shared, or has seen more programs than that. */
void meet(const char* file, uint64_t programs);

#endif
