// SPDX-License-Identifier: Apache-2.0
#include "remap.h"

#include "registers.h"

uint32_t remap_first_page(void) { return READ(remap_region); }

uint32_t remap_pages(void) { return MAIN_RAM_SIZE / PAGE_BYTES - remap_first_page(); }

static bool refused(void) {
  const bool pending = FIELD(READ(error), WEIR__ERROR__PENDING);
  if (pending) WRITE(error, WEIR__ERROR__PENDING_bm);
  return pending;
}

enum hybrid_error remap_start(const struct remap_layout* layout) {
  if (layout == NULL) return HYBRID_NULL;
  if (FIELD(READ(remap_control), WEIR__REMAP_CONTROL__ENABLE)) return HYBRID_STATE;
  refused();
  WRITE(remap_bitmap_base, layout->bitmap_page);
  WRITE(remap_pointer_base, layout->pointer_page);
  WRITE(remap_frame_count, 0);  // so that the base may lie anywhere below the region
  WRITE(remap_frame_base, layout->first_frame);
  WRITE(remap_frame_count, layout->frames);
  const uint32_t pointers = AT(layout->pointer_table, WEIR__REMAP_CONTROL__POINTERS);
  WRITE(remap_control, pointers);
  if (refused()) return HYBRID_REFUSED;

  volatile uint64_t* bitmaps = (volatile uint64_t*)(MAIN_RAM_BASE + (uintptr_t)layout->bitmap_page * PAGE_BYTES);
  for (uint32_t word = 0; word < remap_pages() / 64; ++word) bitmaps[word] = 0;
  // the hart's cache is written back before the controller reads what lies in memory
  volatile const uint8_t* evict = (volatile const uint8_t*)(uintptr_t)bitmaps + remap_pages() / 8;
  for (uint32_t byte = 0; byte < 2 * PAGE_BYTES; byte += 64) (void)evict[byte];
  __asm__ volatile("fence rw, rw" ::: "memory");

  WRITE(remap_control, pointers | WEIR__REMAP_CONTROL__ENABLE_bm);
  if (refused()) return HYBRID_REFUSED;
  while (FIELD(READ(remap_status), WEIR__REMAP_STATUS__BUSY)) {
  }
  return HYBRID_OK;
}

enum hybrid_error remap_stop(void) {
  refused();
  WRITE(remap_control, READ(remap_control) & ~WEIR__REMAP_CONTROL__ENABLE_bm);
  return refused() ? HYBRID_REFUSED : HYBRID_OK;
}

uint32_t remap_frame_states(uint32_t block, bool dirty) {
  WRITE(remap_frame_index, AT(block, WEIR__REMAP_FRAME_INDEX__BLOCK) | AT(dirty, WEIR__REMAP_FRAME_INDEX__STATE));
  return READ(remap_frame_states);
}

static uint32_t count(uint32_t number) {
  WRITE(remap_counter_index, number);
  return READ(remap_counter);
}

struct remap_counts remap_counts(void) {
  return (struct remap_counts){count(0), count(1), count(2), count(3), count(4), count(5)};
}

bool remap_had_bad_pointer(void) {
  const bool had = FIELD(READ(remap_status), WEIR__REMAP_STATUS__BAD_POINTER);
  if (had) WRITE(remap_status, WEIR__REMAP_STATUS__BAD_POINTER_bm);
  return had;
}
