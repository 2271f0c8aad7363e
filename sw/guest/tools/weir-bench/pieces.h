/* SPDX-License-Identifier: Apache-2.0 */
/** The timed part in pieces of the same work, each timed by itself. The kernel's timer comes once in two million
 * cycles, and takes some thousand lines that its handler reads: a good deal of a workload that is timed for a million,
 * the more so while memory is slower. It lengthens one piece or two, and the median of all is that of the workload
 * alone. */
#ifndef PIECES_H
#define PIECES_H

#include <stdint.h>

enum { PIECES = 16 };

/** Finds the clock: mtime where the kernel's command line says it is (mtime=ADDRESS), as reading the `time` register
 * traps on Rocket; that register without. Until then the others do nothing. */
void pieces_reach(void);

/** Before the first piece. */
void pieces_begin(void);

/** At the end of each piece. */
void pieces_end(void);

/** @return ticks of the clock for all pieces if each took as long as their median; 0 if not all of them have ended */
uint64_t pieces_undisturbed(void);

#endif
