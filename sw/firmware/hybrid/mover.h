/* SPDX-License-Identifier: Apache-2.0 */
/** Commands of the page mover. Pages and frames are numbers of pages from the first byte of memory. */
#ifndef HYBRID_MOVER_H
#define HYBRID_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"

/** Commands that wait or are under way at most; a result is kept until so many more have been given. */
#define MOVER_DEPTH 16u

/** The controller's results, as in move_results. */
enum mover_result {
  MOVER_PENDING,
  MOVER_DONE,
  MOVER_DISABLED,
  MOVER_MISALIGNED,
  MOVER_OUTSIDE_REGION,
  MOVER_OUTSIDE_FRAMES,
  MOVER_ALREADY_THERE,
  MOVER_FRAME_IN_USE,
  MOVER_BAD_POINTER,
};

unsigned mover_room(void);  ///< commands that can be given now

/** Numbers, modulo 65536, of the next command that is given, and of the next one that is completed. */
uint16_t mover_next(void);
uint16_t mover_completed(void);

/** Gives a command. @param number takes its number, by which mover_result() knows it; may be null.
 * @return HYBRID_NONE_LEFT if there is no room */
enum hybrid_error mover_promote(uint32_t page, uint32_t frame, uint16_t* number);
enum hybrid_error mover_evict(uint32_t page, uint16_t* number);
enum hybrid_error mover_flush(uint16_t* number);

/** Of one of the last MOVER_DEPTH commands. */
enum mover_result mover_result(uint16_t number);

/** Waits until all commands are completed. */
void mover_wait(void);

/** Lines copied at most: so many in each period of cycles. HYBRID_RANGE if the controller refuses it. */
enum hybrid_error mover_rate(uint32_t lines, uint32_t cycles);

uint32_t mover_lines(void);  ///< copied since reset, modulo 2^32

#endif
