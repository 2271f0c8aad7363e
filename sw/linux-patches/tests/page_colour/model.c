// SPDX-License-Identifier: Apache-2.0
// The kernel's index of free blocks by colour, and the functions of its page allocator that serve requests, under
// random requests and frees: after each few the index is worked out anew from the free lists, page by page, with a map
// that counts bits. Prints a line for each map; exit code 1 and a message at the first difference.
//
// usage: model SEED
#include <stdio.h>

#include "kernel.h"
#include "linux/colourset.h"

bool palloc_request(struct mm_struct* mm, struct page_colour_request* request);
bool palloc_folio_banks(struct folio* folio, struct colourset* set);
bool palloc_swapped_banks(swp_entry_t entry, struct colourset* set);
struct task_struct {
  struct mm_struct* page_colour_mm;
  struct colourset page_colour_set;
};
extern struct task_struct* current;

// Each needs what the one before declares.
// clang-format off
#include "page_colour.h"
#include "page_colour_map.c"
#include "page_colour.c"
#include "page_alloc_part.c"
// clang-format on

struct page mem_map[PAGES];
struct zone zone;
int pageblock_types[PAGEBLOCKS];
static struct task_struct task;
struct task_struct* current = &task;

struct zone* one_zone(void) { return &zone; }

void failed(const char* what, int line) {
  fprintf(stderr, "line %d: not so: %s\n", line, what);
  exit(1);
}

static const struct page_colour_map maps[] = {
    {.ranks = 1, .rank = {0x10000}, .banks = 3, .bank = {0x2000, 0x4000, 0x8000}},
    {.ranks = 1, .rank = {0x20000}, .banks = 3, .bank = {0x42000, 0x84000, 0x108000}},
    {.ranks = 1, .rank = {0x2000000}, .banks = 2, .bank = {0x1000, 0x1002000}},
    {.channels = 1,
     .channel = {0x249000},
     .ranks = 2,
     .rank = {0x800000, 0x1000000},
     .banks = 3,
     .bank = {0x6000, 0xc000, 0x11000}},
    {.ranks = 1, .rank = {0x8000}, .banks = 3, .bank = {0x100, 0x10200, 0x4000}},
#if PAGE_COLOUR_SHIFT >= 8
    {.channels = 1,
     .channel = {0x1249000},
     .ranks = 2,
     .rank = {0x22000, 0x440000},
     .banks = 5,
     .bank = {0x404000, 0x808000, 0x110000, 0x2020000, 0x1080000}},
#endif
#if PAGE_COLOUR_SHIFT >= 10
    {.channels = 2,
     .channel = {0x1249000, 0x2002000},
     .ranks = 2,
     .rank = {0x22000, 0x440000},
     .banks = 6,
     .bank = {0x404000, 0x808000, 0x110000, 0x1020000, 0x880000, 0x200000}},
#endif
};

// Sets are worked out here by none of the kernel's operations.
static bool has(const struct colourset* set, unsigned colour) { return set->bits[colour / 64] >> colour % 64 & 1; }
static void put(struct colourset* set, unsigned colour) { set->bits[colour / 64] |= 1UL << colour % 64; }
static bool same(struct colourset a, struct colourset b) { return !memcmp(&a, &b, sizeof a); }
static bool is_empty(struct colourset set) { return same(set, (struct colourset){}); }
static bool is_within(struct colourset a, struct colourset b) {
  for (unsigned i = 0; i < COLOURSET_WORDS; i++)
    if (a.bits[i] & ~b.bits[i]) return false;
  return true;
}
static unsigned least(struct colourset set) {
  unsigned colour = 0;
  while (!has(&set, colour)) colour++;
  return colour;
}
static struct colourset without(struct colourset set) {
  for (unsigned i = 0; i < COLOURSET_WORDS; i++) set.bits[i] = ~set.bits[i];
  return set;
}
// Two colours, of two words if there are
static struct colourset some(unsigned colour) {
  struct colourset set = {};
  put(&set, colour);
  put(&set, PAGE_COLOURS_MAX - 1 - colour);
  return set;
}

static unsigned number(const u64* masks, unsigned nr, unsigned long page, unsigned* bit) {
  unsigned sum = 0;
  for (unsigned i = 0; i < nr; i++) {
    if (masks[i] % PAGE_SIZE) continue;
    sum |= (unsigned)__builtin_parityll(masks[i] & page * PAGE_SIZE) << (*bit)++;
  }
  return sum;
}

static unsigned colour_of(const struct page_colour_map* map, unsigned long page) {
  unsigned bit = 0;
  unsigned colour = number(map->bank, map->banks, page, &bit);
  colour |= number(map->rank, map->ranks, page, &bit);
  return colour | number(map->channel, map->channels, page, &bit);
}

static struct colourset colours_of(const struct page_colour_map* map, unsigned long page, unsigned order) {
  struct colourset set = {};
  for (unsigned long i = 0; i < 1UL << order; i++) put(&set, colour_of(map, page + i));
  return set;
}

// As __free_one_page() does it.
static void free_block(struct page* page, unsigned order) {
  const int type = get_pageblock_migratetype(page);
  unsigned long at = page - mem_map;
  for (unsigned i = 0; i < 1U << order; i++) {
    require(page[i].used);
    page[i].used = false;
  }
  account_freepages(&zone, 1L << order, type);
  for (; order < MAX_PAGE_ORDER; order++) {
    struct page* buddy = &mem_map[at ^ 1UL << order];
    if (!PageBuddy(buddy) || buddy_order(buddy) != order) break;
    const int buddy_type = get_pageblock_migratetype(buddy);
    if (order >= pageblock_order && (type >= MIGRATE_PCPTYPES || buddy_type >= MIGRATE_PCPTYPES) && type != buddy_type)
      break;
    __del_page_from_free_list(buddy, &zone, order, buddy_type);
    if (buddy_type != type) change_pageblock_range(buddy, order, type);
    at &= ~(1UL << order);
  }
  set_buddy_order(&mem_map[at], order);
  __add_to_free_list(&mem_map[at], &zone, order, type, rand() & 1);
}

// Give the pageblock another type, as __move_freepages_block() does.
static void retype(unsigned block, int type) {
  struct page* first = &mem_map[block * pageblock_nr_pages];
  struct page* both = &mem_map[block / 2 * 2 * pageblock_nr_pages];
  const int old = get_pageblock_migratetype(first);
  if (old >= MIGRATE_PCPTYPES || (PageBuddy(both) && buddy_order(both) > pageblock_order)) return;
  for (struct page* page = first; page < first + pageblock_nr_pages;) {
    if (!PageBuddy(page)) {
      page++;
      continue;
    }
    move_to_free_list(page, &zone, buddy_order(page), old, type);
    page += 1UL << buddy_order(page);
  }
  set_pageblock_migratetype(first, type);
}

static void compare_index(const struct page_colour_map* map) {
  unsigned long blocks[NR_PAGE_ORDERS][PAGE_COLOURS_MAX] = {}, free_pages[PAGE_COLOURS_MAX] = {};
  unsigned order, type;
  struct page* page;
  long pages = 0;

  for_each_migratetype_order(order, type) {
    unsigned long listed = 0, indexed = 0;
    struct colourset nonempty = {};
    list_for_each_entry(page, &zone.free_area[order].free_list[type], buddy_list) {
      const unsigned class = least(colours_of(map, page - mem_map, order));
      require(PageBuddy(page) && buddy_order(page) == order && get_pageblock_migratetype(page) == type);
      require(page_colour_key || !page->mapping);
      for (unsigned i = 0; i < 1U << order; i++) free_pages[colour_of(map, page - mem_map + i)]++;
      put(&nonempty, class);
      blocks[order][class]++;
      listed++;
      pages += 1L << order;
    }
    if (!page_colour_key) continue;
    require(same(zone.colours->nonempty[order][type], nonempty));
    for (unsigned class = 0; class < page_colours.nr; class ++) {
      list_for_each_entry(page, index_list(zone.colours, order, type, class), colour_list) {
        require(PageBuddy(page) && buddy_order(page) == order && get_pageblock_migratetype(page) == type);
        require(class == least(colours_of(map, page - mem_map, order)));
        indexed++;
      }
    }
    require(listed == indexed);
  }
  require(pages == zone.nr_free);
  if (!page_colour_key) return;
  for (order = 0; order < NR_PAGE_ORDERS; order++)
    require(!memcmp(blocks[order], zone.colours->blocks[order], sizeof blocks[order]));
  struct colourset all = {};
  for (unsigned colour = 0; colour < page_colours.nr; colour++) {
    struct colourset one = {};
    put(&one, colour);
    put(&all, colour);
    require(page_colour_free(&one) == free_pages[colour]);
  }
  require(same(*page_colour_all(), all));
}

// Any colours, those of a rank, or one
static struct colourset random_set(void) {
  enum { ANY, RANK, ONE } kind = rand() % 3;
  const unsigned banks = nr_page_colour_banks(), rank = rand() % (page_colours.nr / banks);
  struct colourset set = {};
  if (kind != RANK) put(&set, rand() % page_colours.nr);
  for (unsigned colour = 0; colour < page_colours.nr; colour++)
    if ((kind == ANY && rand() & 1) || (kind == RANK && colour / banks == rank)) put(&set, colour);
  return set;
}

// A single page that is refused must not be there.
static void require_none(const struct page_colour_map* map, struct colourset set) {
  for (unsigned long page = 0; page < PAGES; page++) {
    if (mem_map[page].used || pageblock_types[page / pageblock_nr_pages] >= MIGRATE_PCPTYPES) continue;
    require(!has(&set, colour_of(map, page)));
  }
}

static struct {
  struct page* page;
  unsigned order;
} taken[PAGES];
static unsigned long nr_taken, served, refused, isolated;

static void take(struct page* page, unsigned order) {
  require(IS_ALIGNED(page - mem_map, 1L << order) && !PageBuddy(page) && !page->mapping);
  for (unsigned i = 0; i < 1U << order; i++) {
    require(!page[i].used);
    page[i].used = true;
  }
  taken[nr_taken].page = page;
  taken[nr_taken++].order = order;
}

static void request_block(const struct page_colour_map* map) {
  const struct colourset set = random_set();
  const unsigned order = rand() % 3 ? 0 : rand() % MAX_PAGE_ORDER;
  const unsigned flags = (rand() & 1 ? ALLOC_CMA : 0) | (rand() & 1 ? ALLOC_NOFRAGMENT : 0);
  const int type = rand() % MIGRATE_PCPTYPES;
  struct colourset spread[NR_PAGE_ORDERS];
  struct page* page = NULL;
  if (page_colour_spread(&set, order, spread)) page = __rmqueue_coloured(&zone, order, type, flags, spread);
  if (!page) {
    refused++;
    if (!order && !(flags & ALLOC_NOFRAGMENT)) require_none(map, set);
    return;
  }
  served++;
  take(page, order);
  require(is_within(colours_of(map, page - mem_map, order), set));
}

// Whether a free block has a smaller one of colours of the set alone.
static bool has_part(const struct page_colour_map* map, const struct page* block, unsigned order, unsigned part,
                     struct colourset set) {
  const unsigned long first = block - mem_map;
  for (unsigned long at = first; at < first + (1UL << order); at += 1UL << part)
    if (is_within(colours_of(map, at, part), set)) return true;
  return false;
}

// What compaction takes is of the colours and far up; blocks that it may not split stay. Where lists are so short that
// it looks at all of them, it takes one if there is any.
static void isolate_page(const struct page_colour_map* map) {
  enum { LOOKED_AT = 128 };
  const unsigned order = rand() % 3 ? 0 : rand() % 4, limit = 1 + rand() % NR_PAGE_ORDERS;
  const unsigned long low = BASE_PFN + rand() % PAGES, high = low + rand() % PAGES;
  const struct colourset set = random_set();
  const bool enough = zone.nr_free > (long)zone._watermark[WMARK_MIN] + (1L << order);
  unsigned long lengths[NR_PAGE_ORDERS] = {}, highest = 0;
  bool all_looked_at = true;
  struct page *block, *page;

  for (unsigned at = 0; at < NR_PAGE_ORDERS; at++) {
    list_for_each_entry(block, &zone.free_area[at].free_list[MIGRATE_MOVABLE], buddy_list) {
      lengths[at]++;
      if (at >= order && at < limit && page_to_pfn(block) >= low && has_part(map, block, at, order, set) &&
          page_to_pfn(block) > highest)
        highest = page_to_pfn(block);
    }
    all_looked_at &= at < order || at >= limit || lengths[at] <= LOOKED_AT;
  }
  page = isolate_coloured_page(&zone, order, limit, &set, low, high);
  if (!page) {
    require(!enough || !all_looked_at || !highest);
    return;
  }
  isolated++;
  require(enough && highest);
  take(page, order);
  require(is_within(colours_of(map, page - mem_map, order), set));
  require(page_to_pfn(page) >= low);
  if (all_looked_at) require(page_to_pfn(page) >= min(high, highest));
  for (unsigned at = limit; at < NR_PAGE_ORDERS; at++) {
    unsigned long length = 0;
    list_for_each_entry(block, &zone.free_area[at].free_list[MIGRATE_MOVABLE], buddy_list) length++;
    require(length == lengths[at]);
  }
}

static void free_any(void) {
  const unsigned long i = rand() % nr_taken;
  free_block(taken[i].page, taken[i].order);
  taken[i] = taken[--nr_taken];
}

// A block that is taken as one without a policy takes it
static void take_any(void) {
  const unsigned order = rand() % MAX_PAGE_ORDER, type = rand() % MIGRATE_TYPES;
  struct list_head* list = &zone.free_area[order].free_list[type];
  if (list_empty(list)) return;
  struct page* page = list_first_entry(list, struct page, buddy_list);
  del_page_from_free_list(page, &zone, order, type);
  take(page, order);
}

// What others do while all free blocks get onto the index, or off it: with its pageblocks one after the other.
void cond_resched(void) {
  for (unsigned i = 0; i < 20; i++) {
    if (rand() % 4 == 0) retype(rand() % PAGEBLOCKS, rand() % MIGRATE_PCPTYPES);
    if (rand() & 1) take_any();
    if (rand() & 1 && nr_taken) free_any();
  }
}

// The banks of the current process' group
static struct colourset wish;

bool palloc_request(struct mm_struct* mm, struct page_colour_request* request) {
  *request = (struct page_colour_request){.set = wish, .rest = without(wish), .private = true};
  return !is_empty(wish);
}

bool palloc_folio_banks(struct folio* folio, struct colourset* set) {
  *set = folio ? *(const struct colourset*)folio : (struct colourset){};
  return folio;
}

enum { GONE = 63 };  // an entry whose group is

bool palloc_swapped_banks(swp_entry_t entry, struct colourset* set) {
  if (entry.val == GONE) return false;
  *set = entry.val ? some(entry.val) : (struct colourset){};
  return true;
}

// What takes the place of a folio goes where that belongs, and anywhere if its group has all banks, whoever moves it.
static void ask_like(void) {
  struct page_colour_request request;
  struct colourset of_folio = some(1);
  wish = some(2);
  page_colour_ask_like((struct folio*)&of_folio);
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  require(same(request.set, of_folio) && same(request.rest, *page_colour_all()) && !request.private);
  page_colour_ask_like(NULL);
  require(!page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  wish = (struct colourset){};
}

// A page that is swapped in goes where the group's pages do that it was swapped out from, if that is there still.
static void ask_swapped(void) {
  struct page_colour_request request;
  wish = some(2);
  page_colour_ask_swapped((swp_entry_t){1});
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  require(same(request.set, some(1)) && same(request.rest, *page_colour_all()) && !request.private);
  page_colour_ask_swapped((swp_entry_t){0});
  require(!page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  page_colour_ask_swapped((swp_entry_t){GONE});
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request) && same(request.set, wish));
  wish = (struct colourset){};
}

// What a task has asked for is asked for once, and goes before what its group has.
static void ask(void) {
  struct page_colour_request request;
  wish = some(2);
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  require(same(request.set, wish) && same(request.rest, without(wish)) && request.private);
  require(!page_colour_prepare(GFP_KERNEL, &request));
  const struct colourset asked = some(3);
  page_colour_ask(&asked);
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  require(same(request.set, asked) && same(request.rest, *page_colour_all()) && !request.private && !request.now);
  require(page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request) && same(request.set, wish));
  page_colour_ask_any();
  require(!page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
  wish = (struct colourset){};
  require(!page_colour_prepare(GFP_HIGHUSER_MOVABLE, &request));
}

// Page tables of user space get what the group has if it can be had; those of the kernel lie anywhere.
static void ask_for_tables(void) {
  struct page_colour_request request;
  wish = some(1);
  page_colour_ask_table(__GFP_ACCOUNT);
  require(page_colour_prepare(__GFP_ACCOUNT, &request));
  require(same(request.set, wish) && same(request.rest, *page_colour_all()) && !request.private);
  require(!page_colour_prepare(__GFP_ACCOUNT, &request));
  page_colour_ask_table(GFP_KERNEL);
  require(!page_colour_prepare(GFP_KERNEL, &request));
  wish = (struct colourset){};
  page_colour_ask_table(__GFP_ACCOUNT);
  require(!page_colour_prepare(__GFP_ACCOUNT, &request));
}

static void start(const struct page_colour_map* map) {
  struct page_colour_map here = *map;
  unsigned order, type;
  here.base = BASE_PFN << PAGE_SHIFT;
  here.size = (u64)PAGES << PAGE_SHIFT;
  memset(&page_colours, 0, sizeof page_colours);
  memset(&zone, 0, sizeof zone);
  zone.zone_start_pfn = BASE_PFN;
  zone._watermark[WMARK_MIN] = PAGES / 2;
  memset(mem_map, 0, sizeof mem_map);
  for_each_migratetype_order(order, type) INIT_LIST_HEAD(&zone.free_area[order].free_list[type]);
  require(page_colour_enable() == -ENODEV);
  require(page_colour_set_map(&here) == 0);
  require(page_colour_set_map(&here) == -EBUSY);
  for (unsigned i = 0; i < PAGEBLOCKS; i++) pageblock_types[i] = i / (PAGEBLOCKS / MIGRATE_TYPES - 1) % MIGRATE_TYPES;
  for (unsigned long page = 0; page < PAGES; page++) {
    mem_map[page].used = true;
    require(page_colour(BASE_PFN + page) == (int)colour_of(map, page));
  }
  require(page_colour(BASE_PFN - 1) == -1 && page_colour(BASE_PFN + PAGES) == -1);
  for (unsigned long page = 0; page < PAGES; page += pageblock_nr_pages) free_block(&mem_map[page], pageblock_order);
}

static void run(const struct page_colour_map* map) {
  enum { STEPS = 30000 };
  start(map);
  compare_index(map);
  require(page_colour_enable() == 0);
  ask();
  ask_like();
  ask_swapped();
  ask_for_tables();
  served = refused = isolated = 0;
  for (unsigned step = 0; step < STEPS; step++) {
    // memory fills and empties in turns
    const bool filling = rand() % 100 < (step % 10000 < 4500 ? 60 : 40);
    if (step % 1000 == 0) compare_index(map);
    if (step == STEPS / 3) page_colour_disable();
    if (step == STEPS / 3 + 500) require(page_colour_enable() == 0);
    if (rand() % 50 == 0) retype(rand() % PAGEBLOCKS, rand() % MIGRATE_PCPTYPES);
    if (filling && page_colour_key) request_block(map);
    if (filling && page_colour_key && rand() % 4 == 0) isolate_page(map);
    if (!filling && nr_taken) free_any();
  }
  while (nr_taken) free_any();
  compare_index(map);
  page_colour_disable();
  compare_index(map);
  require(zone.nr_free == PAGES);
  require(served > STEPS / 10 && refused > STEPS / 100 && isolated > STEPS / 1000);
  printf("%u colours: served %lu, refused %lu, isolated %lu\n", nr_page_colours(), served, refused, isolated);
}

int main(int argc, char** argv) {
  srand(argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
  for (unsigned i = 0; i < ARRAY_SIZE(maps); i++) run(&maps[i]);
  return 0;
}
