// SPDX-License-Identifier: Apache-2.0
#include "mover.h"

#include "registers.h"

static unsigned waiting(void) {
  const uint32_t status = READ(move_status);
  return (FIELD(status, WEIR__MOVE_STATUS__ISSUED) - FIELD(status, WEIR__MOVE_STATUS__COMPLETED)) & 0xffff;
}

unsigned mover_room(void) { return MOVER_DEPTH - waiting(); }

uint16_t mover_next(void) { return (uint16_t)FIELD(READ(move_status), WEIR__MOVE_STATUS__ISSUED); }

uint16_t mover_completed(void) { return (uint16_t)FIELD(READ(move_status), WEIR__MOVE_STATUS__COMPLETED); }

static enum hybrid_error give(unsigned operation, uint16_t* number) {
  if (number != NULL) *number = mover_next();
  WRITE(move_command, operation);
  return HYBRID_OK;
}

static void set_page(uint32_t page) {
  WRITE(move_page_low, page << 12);
  WRITE(move_page_high, page >> 20);
}

enum hybrid_error mover_promote(uint32_t page, uint32_t frame, uint16_t* number) {
  if (mover_room() == 0) return HYBRID_NONE_LEFT;
  set_page(page);
  WRITE(move_frame_low, frame << 12);
  WRITE(move_frame_high, frame >> 20);
  return give(0, number);
}

enum hybrid_error mover_evict(uint32_t page, uint16_t* number) {
  if (mover_room() == 0) return HYBRID_NONE_LEFT;
  set_page(page);
  return give(1, number);
}

enum hybrid_error mover_flush(uint16_t* number) {
  if (mover_room() == 0) return HYBRID_NONE_LEFT;
  return give(2, number);
}

enum mover_result mover_result(uint16_t number) {
  const unsigned place = number % MOVER_DEPTH;
  const uint32_t results = place < 8 ? READ(move_results_low) : READ(move_results_high);
  return (enum mover_result)(results >> 4 * (place % 8) & 0xf);
}

void mover_wait(void) {
  while (waiting() != 0) {
  }
}

enum hybrid_error mover_rate(uint32_t lines, uint32_t cycles) {
  if (lines < 1 || lines > 255 || cycles < 1 || cycles > 65535) return HYBRID_RANGE;
  WRITE(move_rate, AT(lines, WEIR__MOVE_RATE__LINES) | AT(cycles, WEIR__MOVE_RATE__CYCLES));
  return HYBRID_OK;
}

uint32_t mover_lines(void) { return READ(move_lines); }
