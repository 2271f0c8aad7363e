/* SPDX-License-Identifier: Apache-2.0 */
/** The paper's kind of workload: superpages of which a few pages have most accesses, in an order by chance. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>

#define SUPERPAGES 16u
#define MOST_HOT_PAGES 32u
#define LINES_PER_PAGE 64u

struct workload {
  uint32_t accesses, hot_pages;  ///< hot pages of each superpage, at most MOST_HOT_PAGES
  uint32_t hot_share, writes;    ///< of 128: accesses to hot pages, accesses that write
  uint32_t dram_pages;           ///< of each superpage, the first ones, that lie in DRAM by their address
  uint64_t seed;
};

/** An access, as a place in the workload's superpages. */
struct access {
  uint32_t superpage, page, line;  ///< page within the superpage, line within the page
  uint32_t write;                  ///< what is added to the word, 0 for a read
};

/** The next access; `state` begins as the seed. */
static inline struct access workload_next(const struct workload* workload, uint64_t* state) {
  uint64_t r = *state;  // xorshift64 (Marsaglia, 2003)
  r ^= r << 13;
  r ^= r >> 7;
  r ^= r << 17;
  *state = r;
  struct access access;
  access.superpage = (uint32_t)(r >> 7) % SUPERPAGES;
  if ((r & 127) < workload->hot_share) {
    const uint32_t hot = ((uint32_t)(r >> 11 & 0xfff) * workload->hot_pages) >> 12;
    access.page = (21 * hot + 37 * access.superpage) % 512;
    access.line = (uint32_t)(r >> 23) % LINES_PER_PAGE;
  } else {
    access.page = (uint32_t)(r >> 11) % 512;
    access.line = 7 * access.page % LINES_PER_PAGE;
  }
  access.write = (r >> 32 & 127) < workload->writes ? (uint32_t)(r >> 39) | 1 : 0;
  return access;
}

/** What the upper half of the word of a line holds; also in sim/soc/hybrid_memory.py, which puts it there. */
static inline uint32_t workload_tag(uint32_t superpage, uint32_t page, uint32_t line) {
  return ((superpage * 512 + page) * LINES_PER_PAGE + line + 1) * 0x9e3779b1u;
}

#endif
