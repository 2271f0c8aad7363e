// SPDX-License-Identifier: Apache-2.0
#include "sums.h"

#define PAGES 512u

// Of all lines of hot pages, and of the one line of a cold page that is accessed.
struct sum {
  uint32_t sum;
  bool seen;  // memory holds this sum, or one of before
};
static struct sum hot_sums[SUPERPAGES][MOST_HOT_PAGES][LINES_PER_PAGE], cold_sums[SUPERPAGES][PAGES];
static uint8_t hot_number[SUPERPAGES][PAGES];  // of a page's sums in hot_sums, from 1 on

static struct sum* sum_of(struct access access) {
  const unsigned number = hot_number[access.superpage][access.page];
  return number != 0 ? &hot_sums[access.superpage][number - 1][access.line] : &cold_sums[access.superpage][access.page];
}

static void find_hot_pages(const struct workload* workload) {
  for (uint32_t superpage = 0; superpage < SUPERPAGES; ++superpage)
    for (uint32_t hot = 0; hot < workload->hot_pages; ++hot)
      hot_number[superpage][(21 * hot + 37 * superpage) % PAGES] = (uint8_t)(hot + 1);
}

static void add(const struct workload* workload, uint32_t accesses, uint64_t* state) {
  for (uint32_t i = 0; i < accesses; ++i) {
    const struct access access = workload_next(workload, state);
    if (access.write) sum_of(access)->sum += access.write;
  }
}

void sums_replay(const struct workload* workload) {
  uint64_t state = workload->seed;
  find_hot_pages(workload);
  add(workload, workload->accesses, &state);
}

// Calls `visit` for each word that has a sum, and adds up what it returns.
static uint32_t each_word(const struct workload* workload,
                          uint32_t (*visit)(const struct workload*, struct access, uint32_t*), uint32_t* count) {
  uint32_t sum = 0;
  for (uint32_t superpage = 0; superpage < SUPERPAGES; ++superpage)
    for (uint32_t page = 0; page < PAGES; ++page) {
      struct access access = {superpage, page, 7 * page % LINES_PER_PAGE, 0};
      if (hot_number[superpage][page] == 0) {
        sum += visit(workload, access, count);
        continue;
      }
      for (access.line = 0; access.line < LINES_PER_PAGE; ++access.line) sum += visit(workload, access, count);
    }
  return sum;
}

static uint32_t check_word(const struct workload* workload, struct access access, uint32_t* checked) {
  const uint32_t sum = sum_of(access)->sum;
  if (sum == 0 && hot_number[access.superpage][access.page] == 0) return 0;
  const uint64_t value = *word_of(workload, access);
  ++*checked;
  return !is_tagged(value, access) || (uint32_t)value != sum;
}

uint32_t sums_check(const struct workload* workload, uint32_t* checked) {
  *checked = 0;
  return each_word(workload, check_word, checked);
}

static uint32_t look(const struct workload* workload, struct access access, uint32_t* checked) {
  struct sum* const sum = sum_of(access);
  const uint64_t value = *word_of(workload, access);
  sum->seen = (uint32_t)value == sum->sum;
  ++*checked;
  return !is_tagged(value, access);
}

static uint32_t is_unseen(const struct workload* workload, struct access access, uint32_t* count) {
  (void)workload;
  (void)count;
  return !sum_of(access)->seen;
}

uint32_t sums_check_cut(const struct workload* workload, uint32_t kept, uint32_t* checked) {
  uint64_t state = workload->seed;
  find_hot_pages(workload);
  add(workload, kept, &state);
  *checked = 0;
  uint32_t wrong = each_word(workload, look, checked);
  for (uint32_t i = kept; i < workload->accesses; ++i) {
    const struct access access = workload_next(workload, &state);
    if (!access.write) continue;
    struct sum* const sum = sum_of(access);
    sum->sum += access.write;
    if (!sum->seen) sum->seen = (uint32_t)*word_of(workload, access) == sum->sum;
  }
  return wrong + each_word(workload, is_unseen, checked);
}
