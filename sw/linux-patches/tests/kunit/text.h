/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel's readers of numbers and lists need of the kernel, and sets of PAGE_COLOURS_MAX (64 or more)
 * bits. */
#ifndef TEXT_H
#define TEXT_H

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "kunit.h"

#define noinline
#define EXPORT_SYMBOL(symbol)
#define EXPORT_SYMBOL_GPL(symbol)
#define unlikely(condition) (condition)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define check_mul_overflow(a, b, result) __builtin_mul_overflow(a, b, result)
#define check_add_overflow(a, b, result) __builtin_add_overflow(a, b, result)
#define KSTRTOX_OVERFLOW (1U << 31)
#define ERR_PTR(error) ((const char*)(intptr_t)(error))
#define PTR_ERR(pointer) ((intptr_t)(pointer))
#define IS_ERR(pointer) ((uintptr_t)(pointer) >= (uintptr_t)-4095)

struct colourset {
  unsigned long bits[PAGE_COLOURS_MAX / 64];
};

#undef _tolower
#define _tolower(character) ((character) | 0x20)
static inline u64 div_u64(u64 dividend, unsigned divisor) { return dividend / divisor; }
static inline const char* skip_spaces(const char* text) {
  while (isspace((unsigned char)*text)) ++text;
  return text;
}
static inline void bitmap_zero(unsigned long* bits, int nr) { memset(bits, 0, (nr + 63) / 64 * sizeof *bits); }
static inline void bitmap_set(unsigned long* bits, unsigned from, unsigned nr) {
  for (unsigned bit = from; bit < from + nr; ++bit) bits[bit / 64] |= 1UL << bit % 64;
}
static inline void bitmap_from_u64(unsigned long* bits, u64 word) {
  bitmap_zero(bits, PAGE_COLOURS_MAX);
  *bits = word;
}
static inline bool bitmap_full(const unsigned long* bits, int nr) {
  for (int i = 0; i < nr / 64; ++i)
    if (~bits[i]) return false;
  return true;
}
static inline bool colourset_equal(const struct colourset* a, const struct colourset* b) {
  return !memcmp(a, b, sizeof *a);
}
static inline bool colourset_empty(const struct colourset* set) { return colourset_equal(set, &(struct colourset){}); }
static inline struct colourset colourset_of(unsigned colour) {
  struct colourset set = {};
  bitmap_set(set.bits, colour, 1);
  return set;
}

#endif
