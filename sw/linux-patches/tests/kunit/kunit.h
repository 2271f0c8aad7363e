/* SPDX-License-Identifier: Apache-2.0 */
/* As much of the kernel as the KUnit tests that are compiled for this machine and what they test use, as a program of
 * it. */
#ifndef KUNIT_H
#define KUNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint8_t u8;
typedef uint64_t u64;

#define U64_MAX UINT64_MAX
#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))
#define BIT(bit) (1ULL << (bit))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low) ((~0ULL << (low)) & (~0ULL >> (63 - (high))))

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 by) { return (u64)((unsigned __int128)a * b / by); }

/* One thread runs the tests. */
#define READ_ONCE(variable) (variable)
#define WRITE_ONCE(variable, value) ((variable) = (value))

typedef struct {
  int counter;
} atomic_t;

typedef struct {
  long counter;
} atomic_long_t;

static inline int atomic_read(const atomic_t* atomic) { return atomic->counter; }
static inline void atomic_inc(atomic_t* atomic) { atomic->counter++; }

typedef struct {
  unsigned long bits[1];
} nodemask_t;

#define NUMA_NO_NODE (-1)
#define first_node(mask) __builtin_ctzl((mask).bits[0])
#define node_set(node, mask) ((void)((mask).bits[0] |= 1UL << (node)))
#define nodes_clear(mask) ((void)((mask).bits[0] = 0))
#define nodes_empty(mask) (!(mask).bits[0])
#define nodes_andnot(to, mask, but) ((void)((to).bits[0] = (mask).bits[0] & ~(but).bits[0]))
#define for_each_node_mask(node, mask)    \
  for ((node) = 0; (node) < 64; (node)++) \
    if ((mask).bits[0] >> (node)&1)

struct kunit {
  bool failed;
};

struct kunit_case {
  void (*run)(struct kunit* test);
  const char* name;
};

struct kunit_suite {
  const char* name;
  struct kunit_case* test_cases;
};

#define KUNIT_CASE(function) \
  { function, #function }

#define KUNIT_EXPECT_EQ(test, got, expected)                                          \
  do {                                                                                \
    unsigned long long left_value = (got), right_value = (expected);                  \
    if (left_value != right_value) {                                                  \
      printf("%s:%d: %llu, not %llu\n", __func__, __LINE__, left_value, right_value); \
      (test)->failed = true;                                                          \
    }                                                                                 \
  } while (0)

#define KUNIT_EXPECT_TRUE(test, condition) KUNIT_EXPECT_EQ(test, !!(condition), true)

#define KUNIT_EXPECT_EQ_MSG(test, got, expected, ...)  \
  do {                                                 \
    const bool failed_before = (test)->failed;         \
    (test)->failed = false;                            \
    KUNIT_EXPECT_EQ(test, got, expected);              \
    if ((test)->failed) printf(__VA_ARGS__), puts(""); \
    (test)->failed |= failed_before;                   \
  } while (0)

#define KUNIT_EXPECT_TRUE_MSG(test, condition, ...) KUNIT_EXPECT_EQ_MSG(test, !!(condition), true, __VA_ARGS__)

/* A case whose assertion fails ends. */
#define KUNIT_ASSERT_EQ(test, got, expected) \
  do {                                       \
    KUNIT_EXPECT_EQ(test, got, expected);    \
    if ((test)->failed) return;              \
  } while (0)

#define KUNIT_ASSERT_TRUE(test, condition) KUNIT_ASSERT_EQ(test, !!(condition), true)

/* The program: says of each case whether it passes; exit code 1 if one does not. */
#define kunit_test_suite(suite)                                             \
  int main(void) {                                                          \
    bool failed = false;                                                    \
    for (struct kunit_case* each = (suite).test_cases; each->run; each++) { \
      struct kunit test = {false};                                          \
      each->run(&test);                                                     \
      printf("%s %s\n", test.failed ? "not ok" : "ok", each->name);         \
      failed |= test.failed;                                                \
    }                                                                       \
    return failed;                                                          \
  }

#endif
