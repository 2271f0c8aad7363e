/* SPDX-License-Identifier: Apache-2.0 */
/** The work of the first thread in pieces, each timed by itself. The kernel's timer comes once in eight million cycles,
 * and reads some thousand lines: a good deal of a workload that is timed for a million, the more so while memory is
 * slower. It lengthens one piece or two, as the start of other threads does, and the median of all is that of the
 * workload. */
#ifndef PIECES_H
#define PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "threads.h"

enum { PIECES = 16 };

/** How far a thread is. */
struct pieces {
  bool timed;          /**< false for all threads but the first */
  unsigned ended;      /**< pieces */
  uint64_t work, made; /**< all that the thread is to do, and what of it is done, in the workload's operations */
};

/** Finds the clock: mtime where the kernel's command line says it is (mtime=ADDRESS), as reading the `time` register
 * traps on Rocket; that register without. Without a call no piece is timed. */
void pieces_reach(void);

/** Begins the first piece of a thread that makes `work` operations. */
struct pieces pieces_begin(struct thread thread, uint64_t work);

/** @return how many operations to make before the next call: as many as the piece still has, at most `most` */
uint64_t pieces_next(struct pieces* pieces, uint64_t most);

/** Ends the last piece, when all operations have been made. */
void pieces_end(struct pieces* pieces);

/** @return ticks of the clock for all pieces if each took as long as their median; 0 if not all have been timed */
uint64_t pieces_undisturbed(void);

/** @return ticks of the clock for the second half of the pieces, whatever came in between; 0 if not all have been
 * timed */
uint64_t pieces_latter_half(void);

#endif
