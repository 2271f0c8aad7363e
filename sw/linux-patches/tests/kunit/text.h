/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel's readers of numbers and lists need of the kernel, for bitmaps of 64 bits. */
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
#define PAGE_COLOURS_MAX 64
#define DECLARE_BITMAP(name, bits) unsigned long name[(bits) / 64]

#undef _tolower
#define _tolower(character) ((character) | 0x20)
static inline u64 div_u64(u64 dividend, unsigned divisor) { return dividend / divisor; }
static inline const char* skip_spaces(const char* text) {
  while (isspace((unsigned char)*text)) ++text;
  return text;
}
static inline bool bitmap_empty(const unsigned long* bits, int nr) { return !nr || !*bits; }
static inline void bitmap_zero(unsigned long* bits, int nr) { *bits = nr ? 0 : *bits; }
static inline void bitmap_to_arr64(u64* to, const unsigned long* bits, int nr) { *to = nr ? *bits : 0; }
static inline void bitmap_set(unsigned long* bits, unsigned from, unsigned nr) {
  for (unsigned bit = from; bit < from + nr; ++bit) *bits |= 1UL << bit;
}

#endif
