/* SPDX-License-Identifier: Apache-2.0 */
/** The DRAM manager of Rainbow, section III-A: which frame holds which page, in three lists: free, clean, dirty. */
#ifndef HYBRID_FRAMES_H
#define HYBRID_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "errors.h"

enum frame_list { FRAME_FREE, FRAME_CLEAN, FRAME_DIRTY, FRAME_LISTS };

/** A frame in its list, by the number of frames from the first one on. */
struct frame {
  uint64_t page;            ///< that it holds, unless it is free
  uint32_t next, previous;  ///< of the list; the number of frames is that of the list's end
  uint32_t first;           ///< that holds a page whose number modulo the number of frames is this frame's
  uint32_t other;           ///< next of those with the page that this one holds; ends as lists do
  enum frame_list list;
};

/** Frames are taken from a list's head and join it at its tail, so that the one that is longest in it leaves first. */
struct frames {
  struct frame* frame;
  uint32_t count;
  uint32_t head[FRAME_LISTS], tail[FRAME_LISTS], length[FRAME_LISTS];
};

/** All frames free. @param storage for `count` of them, at least one */
enum hybrid_error frames_init(struct frames* frames, struct frame* storage, uint32_t count);

/** The frame to be used next: a free one, or the one that is clean longest, or if there is none the one that is dirty
 * longest. It stays where it is: a frame that is not free must be released first, as its page leaves. */
enum hybrid_error frames_next(const struct frames* frames, uint32_t* frame);

/** A free frame holds a page from now on, clean. @return HYBRID_STATE if it is not free, or another frame holds the
 * page */
enum hybrid_error frames_hold(struct frames* frames, uint32_t frame, uint64_t page);

/** What is known of a frame that holds a page: it has been written to, or has been written back. It keeps its place if
 * it was known. @return HYBRID_STATE if it is free */
enum hybrid_error frames_mark(struct frames* frames, uint32_t frame, bool dirty);

/** A frame's page has left. */
enum hybrid_error frames_release(struct frames* frames, uint32_t frame);

#endif
