// SPDX-License-Identifier: Apache-2.0
#include "hotness.h"

#include "registers.h"

enum store { SUPERPAGES, PAGES, HOT_LIST };

struct hot_shape hot_shape(void) {
  return (struct hot_shape){FIELD(READ(hot_shape), WEIR__HOT_SHAPE__CHOSEN), READ(hot_superpages), READ(hot_region)};
}

enum hybrid_error hot_weights(uint32_t superpage_write, uint32_t page_write) {
  if (superpage_write < 1 || superpage_write > 31 || page_write < 1 || page_write > 31) return HYBRID_RANGE;
  WRITE(hot_weights,
        AT(superpage_write, WEIR__HOT_WEIGHTS__SUPERPAGE_WRITE) | AT(page_write, WEIR__HOT_WEIGHTS__PAGE_WRITE));
  return HYBRID_OK;
}

enum hybrid_error hot_threshold(uint32_t count) {
  if (count < 1 || count > 32767) return HYBRID_RANGE;
  WRITE(hot_threshold, count);
  return HYBRID_OK;
}

void hot_start(bool superpages, bool pages, bool periodic, uint32_t cycles) {
  WRITE(hot_interval, cycles);
  WRITE(hot_control, AT(superpages, WEIR__HOT_CONTROL__SUPERPAGES) | AT(pages, WEIR__HOT_CONTROL__PAGES) |
                         AT(periodic, WEIR__HOT_CONTROL__PERIODIC) | WEIR__HOT_CONTROL__START_bm);
}

void hot_stop(void) {
  WRITE(hot_control, WEIR__HOT_CONTROL__STOP_bm);
  while (!hot_is_idle()) {
  }
}

bool hot_is_idle(void) { return FIELD(READ(hot_status), WEIR__HOT_STATUS__STATE) == 0; }

static void seek(enum store store, uint32_t word) {
  WRITE(hot_index, AT(word, WEIR__HOT_INDEX__WORD) | AT(store, WEIR__HOT_INDEX__STORE));
}

static void read_counts(uint16_t* counts, uint32_t count) {
  for (uint32_t place = 0; place < count; place += 2) {
    const uint32_t word = READ(hot_data);
    counts[place] = (uint16_t)word;
    if (place + 1 < count) counts[place + 1] = (uint16_t)(word >> 16);
  }
}

enum hybrid_error hot_read_superpages(uint16_t* counts, uint32_t count) {
  if (counts == NULL) return HYBRID_NULL;
  if (count > READ(hot_superpages)) return HYBRID_RANGE;
  if (!hot_is_idle()) return HYBRID_STATE;
  seek(SUPERPAGES, 0);
  read_counts(counts, count);
  return HYBRID_OK;
}

enum hybrid_error hot_read_pages(uint32_t slot, uint16_t* counts) {
  if (counts == NULL) return HYBRID_NULL;
  if (slot >= hot_shape().slots) return HYBRID_RANGE;
  if (!hot_is_idle()) return HYBRID_STATE;
  seek(PAGES, slot * PAGES_PER_SUPERPAGE / 2);
  read_counts(counts, PAGES_PER_SUPERPAGE);
  return HYBRID_OK;
}

enum hybrid_error hot_choose(const uint32_t* superpages, uint32_t count) {
  const struct hot_shape shape = hot_shape();
  if (superpages == NULL) return HYBRID_NULL;
  if (count > shape.slots) return HYBRID_RANGE;
  for (uint32_t slot = 0; slot < count; ++slot)
    if (superpages[slot] < shape.first_superpage ||
        superpages[slot] >= MAIN_RAM_SIZE / PAGE_BYTES / PAGES_PER_SUPERPAGE)
      return HYBRID_RANGE;
  WRITE(hot_slot, 0);
  for (uint32_t slot = 0; slot < shape.slots; ++slot)
    WRITE(hot_chosen, slot < count ? superpages[slot] | WEIR__HOT_CHOSEN__HOLDS_bm : shape.first_superpage);
  return HYBRID_OK;
}

enum hybrid_error hot_take(struct hot_page* page) {
  if (page == NULL) return HYBRID_NULL;
  const uint32_t head = READ(hot_list_head);
  if (head == READ(hot_list_tail)) return HYBRID_NONE_LEFT;
  seek(HOT_LIST, 2 * head);
  page->page = READ(hot_data);
  page->count = READ(hot_data);
  const uint32_t records = 1u << FIELD(READ(hot_shape), WEIR__HOT_SHAPE__HOT_LIST);
  WRITE(hot_list_head, (head + 1) % records);
  return HYBRID_OK;
}
