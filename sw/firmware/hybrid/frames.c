// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <stddef.h>

static void leave(struct frames* frames, uint32_t number) {
  const struct frame* frame = &frames->frame[number];
  const uint32_t end = frames->count;
  if (frame->previous == end)
    frames->head[frame->list] = frame->next;
  else
    frames->frame[frame->previous].next = frame->next;
  if (frame->next == end)
    frames->tail[frame->list] = frame->previous;
  else
    frames->frame[frame->next].previous = frame->previous;
  --frames->length[frame->list];
}

static void join(struct frames* frames, uint32_t number, enum frame_list list) {
  struct frame* frame = &frames->frame[number];
  const uint32_t end = frames->count;
  frame->list = list;
  frame->next = end;
  frame->previous = frames->tail[list];
  if (frame->previous == end)
    frames->head[list] = number;
  else
    frames->frame[frame->previous].next = number;
  frames->tail[list] = number;
  ++frames->length[list];
}

// Where it is noted which frame is the first that holds a page of the same remainder.
static uint32_t* first_with(struct frames* frames, uint64_t page) { return &frames->frame[page % frames->count].first; }

static bool is_held(struct frames* frames, uint64_t page) {
  uint32_t number = *first_with(frames, page);
  while (number != frames->count && frames->frame[number].page != page) number = frames->frame[number].other;
  return number != frames->count;
}

static void forget(struct frames* frames, uint32_t number) {
  uint32_t* link = first_with(frames, frames->frame[number].page);
  while (*link != number) link = &frames->frame[*link].other;
  *link = frames->frame[number].other;
  frames->frame[number].other = frames->count;
}

enum hybrid_error frames_init(struct frames* frames, struct frame* storage, uint32_t count) {
  if (frames == NULL || storage == NULL) return HYBRID_NULL;
  if (count == 0 || count == UINT32_MAX) return HYBRID_RANGE;
  frames->frame = storage;
  frames->count = count;
  for (unsigned list = 0; list < FRAME_LISTS; ++list) {
    frames->head[list] = frames->tail[list] = count;
    frames->length[list] = 0;
  }
  for (uint32_t number = 0; number < count; ++number) {
    storage[number].first = storage[number].other = count;
    join(frames, number, FRAME_FREE);
  }
  return HYBRID_OK;
}

enum hybrid_error frames_next(const struct frames* frames, uint32_t* frame) {
  if (frames == NULL || frame == NULL) return HYBRID_NULL;
  for (unsigned list = 0; list < FRAME_LISTS; ++list)
    if (frames->length[list] != 0) {
      *frame = frames->head[list];
      return HYBRID_OK;
    }
  return HYBRID_NONE_LEFT;
}

static enum hybrid_error check(const struct frames* frames, uint32_t frame, bool free) {
  if (frames == NULL) return HYBRID_NULL;
  if (frame >= frames->count) return HYBRID_RANGE;
  return (frames->frame[frame].list == FRAME_FREE) == free ? HYBRID_OK : HYBRID_STATE;
}

enum hybrid_error frames_hold(struct frames* frames, uint32_t frame, uint64_t page) {
  const enum hybrid_error error = check(frames, frame, true);
  if (error != HYBRID_OK) return error;
  if (is_held(frames, page)) return HYBRID_STATE;
  leave(frames, frame);
  uint32_t* const first = first_with(frames, page);
  frames->frame[frame].page = page;
  frames->frame[frame].other = *first;
  *first = frame;
  join(frames, frame, FRAME_CLEAN);
  return HYBRID_OK;
}

enum hybrid_error frames_mark(struct frames* frames, uint32_t frame, bool dirty) {
  const enum hybrid_error error = check(frames, frame, false);
  if (error != HYBRID_OK) return error;
  const enum frame_list list = dirty ? FRAME_DIRTY : FRAME_CLEAN;
  if (frames->frame[frame].list == list) return HYBRID_OK;
  leave(frames, frame);
  join(frames, frame, list);
  return HYBRID_OK;
}

enum hybrid_error frames_release(struct frames* frames, uint32_t frame) {
  const enum hybrid_error error = check(frames, frame, false);
  if (error != HYBRID_OK) return error;
  forget(frames, frame);
  leave(frames, frame);
  join(frames, frame, FRAME_FREE);
  return HYBRID_OK;
}
