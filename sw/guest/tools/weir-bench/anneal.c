// SPDX-License-Identifier: Apache-2.0
// Placement of a netlist's elements on a grid so that their nets are short, by exchanges of two elements each, as
// canneal of PARSEC does. It makes exchanges by which the nets get longer, too, if by less than a threshold, which
// falls from iteration to iteration (threshold accepting, Dueck and Scheuer 1990): simulated annealing without
// exponentials.
#include <stdlib.h>

#include "pieces.h"
#include "random.h"
#include "workload.h"

enum { NETS_PER_ELEMENT = 5 };

// Each net joins two elements, and names either in the other.
struct element {
  uint32_t joined[NETS_PER_ELEMENT];
};

static struct element* elements;
static uint32_t* location;  // of each element, no two the same: its row times the columns, and its column
static unsigned column_bits;
static uint64_t first_length, length;

static uint32_t distance(uint32_t a, uint32_t b) {
  const uint32_t columns = 1u << column_bits;
  return (uint32_t)abs((int)(a >> column_bits) - (int)(b >> column_bits)) +
         (uint32_t)abs((int)(a & (columns - 1)) - (int)(b & (columns - 1)));
}

static uint64_t length_of_all(uint64_t count) {
  uint64_t twice = 0;
  for (uint64_t i = 0; i < count; ++i)
    for (unsigned net = 0; net < NETS_PER_ELEMENT; ++net)
      twice += distance(location[i], location[elements[i].joined[net]]);
  return twice / 2;
}

static void prepare(const struct settings* settings) {
  const uint64_t count = settings->size;
  elements = take(count * sizeof *elements);
  location = take(count * sizeof *location);
  for (column_bits = 0; 1ull << 2 * column_bits < count; ++column_bits) continue;
  uint64_t number = random_start(settings->seed);
  for (unsigned net = 0; net < NETS_PER_ELEMENT; ++net) {
    number = random_order(location, count, number);
    for (uint64_t i = 0; i < count; i += 2) {
      elements[location[i]].joined[net] = location[i + 1];
      elements[location[i + 1]].joined[net] = location[i];
    }
  }
  random_order(location, count, number);
  first_length = length = length_of_all(count);
}

// By how much the nets get longer when `element` goes to `to` and `other` to where that is. A net between both stays as
// long as it is.
static int64_t growth(uint32_t element, uint32_t to, uint32_t other) {
  const uint32_t from = location[element];
  int64_t grown = 0;
  for (unsigned net = 0; net < NETS_PER_ELEMENT; ++net) {
    const uint32_t joined = elements[element].joined[net];
    if (joined == other) continue;
    grown += (int64_t)distance(to, location[joined]) - (int64_t)distance(from, location[joined]);
  }
  return grown;
}

// Looks at so many exchanges, and makes those by which the nets grow by less than `threshold`; the state of the random
// numbers after them.
static uint64_t exchange(uint64_t exchanges, uint64_t count, int64_t threshold, uint64_t number) {
  for (; exchanges; --exchanges) {
    number = random_next(number);
    const uint32_t one = (uint32_t)random_below(number, count), other = (uint32_t)(number & (count - 1));
    const uint32_t of_one = location[one], of_other = location[other];
    const int64_t grown = growth(one, of_other, other) + growth(other, of_one, one);
    if (grown >= threshold) continue;
    location[one] = of_other;
    location[other] = of_one;
    length += (uint64_t)grown;
  }
  return number;
}

static struct work run(const struct settings* settings) {
  const uint64_t count = settings->size, made = count * settings->iterations;
  struct pieces pieces = pieces_begin((struct thread){0, 1}, made);
  uint64_t number = random_start(~settings->seed);
  for (uint64_t iteration = 0; iteration < settings->iterations; ++iteration) {
    const int64_t threshold = iteration < column_bits ? (int64_t)1 << column_bits >> iteration : 1;
    for (uint64_t left = count; left;) {
      const uint64_t some = pieces_next(&pieces, left);
      number = exchange(some, count, threshold, number);
      left -= some;
    }
  }
  pieces_end(&pieces);
  const uint64_t of_exchange = 2 * (sizeof *elements + sizeof *location + NETS_PER_ELEMENT * sizeof *location);
  return (struct work){made, made * of_exchange};
}

static struct result result(const struct settings* settings) {
  return (struct result){location, settings->size * sizeof *location};
}

// No two elements are in one place, none is beside the grid, and the nets are as long as the exchanges have left them.
static bool check(const struct settings* settings) {
  char* taken = take(settings->size);
  for (uint64_t i = 0; i < settings->size; ++i) {
    if (location[i] >= settings->size || taken[location[i]]) return false;
    taken[location[i]] = 1;
  }
  return length_of_all(settings->size) == length && (settings->size < 1 << 8 || length < first_length);
}

const struct workload anneal = {
    .name = "anneal",
    .summary = "exchanges of a netlist's elements, 5 nets each, that make the nets shorter, by a falling threshold",
    .size_unit = "elements",
    .operation = "exchange looked at",
    .size = {1 << 15, 1 << 10, 2, 1 << 24},
    .iterations = {2, 2, 1, 1 << 20},
    .power_of_two = true,
    .pieces = true,
    .prepare = prepare,
    .run = run,
    .result = result,
    .check = check,
};
