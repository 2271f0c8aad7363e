// SPDX-License-Identifier: Apache-2.0
// What the kernel's sources of page colours need of the kernel, for one process and one zone: lists, bits, struct page,
// migratetypes, and nothing that sleeps, locks or traces. Names and meanings are Linux's.
#ifndef WEIR_PAGE_COLOUR_KERNEL_H
#define WEIR_PAGE_COLOUR_KERNEL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// Linux's own <errno.h> would look for <linux/errno.h>, which is this file.
#define E2BIG 7
#define ENOMEM 12
#define EBUSY 16
#define ENODEV 19
#define EINVAL 22
#define ERANGE 34
#define EOPNOTSUPP 95

#define CONFIG_COMPACTION 1
#define CONFIG_PAGE_COLOUR 1

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint64_t u64;
typedef uint64_t phys_addr_t;
typedef unsigned int gfp_t;
typedef unsigned long pgoff_t;
typedef struct {
  int64_t counter;
} atomic64_t;

void failed(const char* what, int line);
#define require(condition) ((condition) ? (void)0 : failed(#condition, __LINE__))

#define PAGE_SHIFT 12
#define PAGE_SIZE 4096UL
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define MAX_PAGE_ORDER 10
#define NR_PAGE_ORDERS (MAX_PAGE_ORDER + 1)
#define BITS_PER_LONG 64
#define PHYS_PFN(address) ((unsigned long)((address) >> PAGE_SHIFT))

#define __always_inline inline
#define __init
#define __maybe_unused __attribute__((unused))
#define __percpu
#define __read_mostly
#define noinline
#define early_param(name, function)
#define EXPORT_SYMBOL_GPL(symbol)
#define pr_err(...) ((void)0)
#define pr_info(...) ((void)0)
#define READ_ONCE(place) (*(volatile __typeof__(place)*)&(place))
#define WRITE_ONCE(place, value) ((place) = (value))
#define smp_load_acquire(place) READ_ONCE(*(place))
#define smp_store_release(place, value) (*(place) = (value))
#define guard(lock) (void)
#define scoped_guard(lock, ...)
void cond_resched(void);
#define DEFINE_MUTEX(name) int name __maybe_unused

#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))
#define BIT(bit) (1UL << (bit))
#define BIT_ULL(bit) (1ULL << (bit))
#define BIT_MASK(bit) (1UL << ((bit) % BITS_PER_LONG))
#define BIT_WORD(bit) ((bit) / BITS_PER_LONG)
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define IS_ALIGNED(value, step) (((value) & ((step)-1)) == 0)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max_t(type, a, b) ((type)(a) > (type)(b) ? (type)(a) : (type)(b))
#define swap(a, b)           \
  do {                       \
    __typeof__(a) was = (a); \
    (a) = (b);               \
    (b) = was;               \
  } while (0)

static inline int fls64(u64 word) { return word ? 64 - __builtin_clzll(word) : 0; }
static inline unsigned __ffs(unsigned long word) { return __builtin_ctzl(word); }
static inline u64 roundup_pow_of_two(u64 value) { return value <= 1 ? 1 : BIT_ULL(fls64(value - 1)); }

// Text is not tested here; these are there to be linked.
static inline int bitmap_parselist(const char* text, unsigned long* bits, int nr) { return text && bits ? -nr : 0; }
static inline u64 memparse(const char* text, char** end) { return strtoull(text, end, 0); }
static inline bool isdigit(int character) { return character >= '0' && character <= '9'; }
static inline const char* skip_spaces(const char* text) { return text + strspn(text, " \n"); }
#define check_mul_overflow(a, b, result) __builtin_mul_overflow(a, b, result)
#define check_add_overflow(a, b, result) __builtin_add_overflow(a, b, result)
static inline int kstrtouint(const char* text, int base, unsigned* value) {
  return *value = (unsigned)strtoul(text, NULL, base), 0;
}
static inline int kstrtou64(const char* text, int base, u64* value) { return *value = strtoull(text, NULL, base), 0; }

// Bitmaps, of whole words but for bitmap_set() and for what is looked for
static inline bool bit_of(const unsigned long* bits, unsigned bit) { return bits[BIT_WORD(bit)] >> bit % 64 & 1; }
static inline void bitmap_set(unsigned long* bits, unsigned start, unsigned nr) {
  for (unsigned bit = start; bit < start + nr; bit++) bits[BIT_WORD(bit)] |= BIT_MASK(bit);
}
#define BITMAP_TEST(name, wrong)                                                                    \
  static inline bool bitmap_##name(const unsigned long* a, const unsigned long* b, unsigned bits) { \
    for (unsigned i = 0; i < BITS_TO_LONGS(bits); i++)                                              \
      if (wrong) return false;                                                                      \
    return true;                                                                                    \
  }
BITMAP_TEST(equal, a[i] != b[i])
BITMAP_TEST(subset, a[i] & ~b[i])
BITMAP_TEST(disjoint, a[i] & b[i])
#define bitmap_intersects(a, b, bits) (!bitmap_disjoint(a, b, bits))
#define bitmap_empty(a, bits) bitmap_disjoint(a, a, bits)
#define BITMAP_OPERATION(name, value)                                                                                  \
  static inline void bitmap_##name(unsigned long* to, const unsigned long* a, const unsigned long* b, unsigned bits) { \
    for (unsigned i = 0; i < BITS_TO_LONGS(bits); i++) to[i] = value;                                                  \
  }
BITMAP_OPERATION(and, a[i] & b[i])
BITMAP_OPERATION(or, a[i] | b[i])
BITMAP_OPERATION(andnot, a[i] & ~b[i])
static inline unsigned find_next_and_bit(const unsigned long* a, const unsigned long* b, unsigned bits, unsigned from) {
  while (from < bits && !(bit_of(a, from) && bit_of(b, from))) from++;
  return from < bits ? from : bits;
}
#define find_first_and_bit(a, b, bits) find_next_and_bit(a, b, bits, 0)
#define for_each_and_bit(bit, a, b, bits) \
  for ((bit) = 0; ((bit) = find_next_and_bit(a, b, bits, bit)) < (bits); (bit)++)
#define for_each_set_bit(bit, a, bits) for_each_and_bit(bit, a, a, bits)

struct list_head {
  struct list_head *next, *prev;
};
#define container_of(pointer, type, member) ((type*)((char*)(pointer)-offsetof(type, member)))
#define list_first_entry(list, type, member) container_of((list)->next, type, member)
#define list_for_each_entry(entry, list, member)                                                 \
  for (entry = container_of((list)->next, __typeof__(*entry), member); &entry->member != (list); \
       entry = container_of(entry->member.next, __typeof__(*entry), member))
static inline void INIT_LIST_HEAD(struct list_head* list) { list->next = list->prev = list; }
static inline bool list_empty(const struct list_head* list) { return list->next == list; }
static inline void list_add(struct list_head* entry, struct list_head* list) {
  *entry = (struct list_head){list->next, list};
  list->next->prev = entry;
  list->next = entry;
}
static inline void list_add_tail(struct list_head* entry, struct list_head* list) { list_add(entry, list->prev); }
static inline void list_del(struct list_head* entry) {
  require(entry->next->prev == entry && entry->prev->next == entry);
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  *entry = (struct list_head){(void*)0x100, (void*)0x122};  // LIST_POISON1 and 2
}
static inline void list_rotate_to_front(struct list_head* entry, struct list_head* list) {
  struct list_head* last = entry->prev;
  if (last == list) return;
  list_del(list);
  list_add(list, last);
}
static inline void list_move_tail(struct list_head* entry, struct list_head* list) {
  list_del(entry);
  list_add_tail(entry, list);
}

enum { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE, MIGRATE_PCPTYPES, MIGRATE_CMA, MIGRATE_TYPES };
#define for_each_migratetype_order(order, type)    \
  for (order = 0; order < NR_PAGE_ORDERS; order++) \
    for (type = 0; type < MIGRATE_TYPES; type++)

struct page {
  struct list_head buddy_list;
  union {
    struct {
      struct address_space* mapping;
      pgoff_t index;
    };
    struct list_head colour_list;
  };
  unsigned long private;
  bool buddy;
  bool used;  // of the model: it is allocated
};

struct free_area {
  struct list_head free_list[MIGRATE_TYPES];
  unsigned long nr_free;
};

struct zone {
  int lock;
  struct free_area free_area[NR_PAGE_ORDERS];
  struct page_colour_index* colours;
  unsigned long zone_start_pfn;
  long nr_free;  // pages, by account_freepages()
  unsigned long _watermark[1];
};
#define WMARK_MIN 0
#define zone_watermark_ok(zone, order, mark, highest, flags) ((zone)->nr_free > (long)(mark))

enum { PAGES = 16384, PAGEBLOCKS = 32, pageblock_order = 9, pageblock_nr_pages = 512 };
#define BASE_PFN 0x80000UL
extern struct page mem_map[PAGES];
extern struct zone zone;
struct zone* one_zone(void);
extern int pageblock_types[PAGEBLOCKS];

static inline unsigned long page_to_pfn(const struct page* page) { return page - mem_map + BASE_PFN; }
static inline unsigned long get_pageblock_migratetype(const struct page* page) {
  return pageblock_types[(page - mem_map) / pageblock_nr_pages];
}
static inline struct page* pfn_to_page(unsigned long pfn) {
  require(pfn >= BASE_PFN && pfn < BASE_PFN + PAGES);
  return mem_map + (pfn - BASE_PFN);
}
#define pfn_to_online_page(pfn) pfn_to_page(pfn)
#define pageblock_end_pfn(pfn) (((pfn) | (pageblock_nr_pages - 1)) + 1)
#define zone_end_pfn(zone) ((zone)->zone_start_pfn + PAGES)
#define page_zone(page) one_zone()
#define get_online_mems() ((void)0)
#define put_online_mems() ((void)0)
static inline void set_pageblock_migratetype(struct page* page, int type) {
  pageblock_types[(page - mem_map) / pageblock_nr_pages] = type;
}
static inline void set_buddy_order(struct page* page, unsigned order) {
  page->private = order;
  page->buddy = true;
}
#define buddy_order(page) ((page)->private)
#define PageBuddy(page) ((page)->buddy)
#define __ClearPageBuddy(page) ((page)->buddy = false)
#define set_page_private(page, value) ((page)->private = (value))
#define page_reported(page) false
#define __ClearPageReported(page) ((void)0)
#define set_page_guard(zone, page, order) false
#define account_freepages(zone, pages, type) ((zone)->nr_free += (pages))
#define pcp_allowed_order(order) ((order) <= 3)
#define bad_range(zone, page) false
#define VM_BUG_ON_PAGE(condition, page) require(!(condition))
#define VM_WARN_ONCE(condition, ...) require(!(condition))
#define WARN_ON_ONCE(condition) \
  ({                            \
    require(!(condition));      \
    false;                      \
  })
#define trace_mm_page_alloc_extfrag(...) ((void)0)
#define trace_mm_page_alloc_zone_locked(...) ((void)0)
#define trace_page_colour_alloc(...) ((void)0)

#define CONFIG_CMA 1
#define ALLOC_CMA 0x80
#define ALLOC_NOFRAGMENT 0x100
#define GFP_KERNEL 0
#define __GFP_MOVABLE 8
#define __GFP_HARDWALL 16
#define __GFP_ACCOUNT 32
#define GFP_HIGHUSER_MOVABLE (__GFP_MOVABLE | __GFP_HARDWALL)

extern bool page_colour_key;
#define DECLARE_STATIC_KEY_FALSE(key) extern bool key
#define DEFINE_STATIC_KEY_FALSE(key) bool key
#define static_branch_unlikely(key) (*(key))
#define static_branch_enable(key) (*(key) = true)
#define static_branch_disable(key) (*(key) = false)
#define populated_zone(zone) true
#define for_each_zone(name) for (name = one_zone(); name; name = NULL)
#define for_each_populated_zone(name) for_each_zone(name)
#define kvzalloc(bytes, flags) calloc(1, bytes)
#define kvfree(memory) free(memory)
#define alloc_percpu(type) calloc(1, sizeof(type))
#define struct_size(pointer, member, nr) (sizeof *(pointer) + sizeof *(pointer)->member * (nr))
#define this_cpu_inc(counter) ((counter)++)

struct mm_struct;
struct page_colour_request;
struct folio;
typedef struct {
  unsigned long val;
} swp_entry_t;
#define in_task() true

#endif
