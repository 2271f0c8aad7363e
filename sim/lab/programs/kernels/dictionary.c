// SPDX-License-Identifier: Apache-2.0
// A hash table with open addressing of 2^SIZE places, half full, as PBBS's dictionary: keys are put in, found and taken
// out. A round puts in a quarter of the places' count, looks for as many and takes the first out.
#include "kernel.h"

static uint64_t place_of(uint64_t key, uint64_t mask) { return key * 0x9e3779b97f4a7c15 >> 20 & mask; }

static uint64_t find(const uint64_t* table, uint64_t mask, uint64_t key) {
  uint64_t place = place_of(key, mask);
  while (table[place] != 0 && table[place] != key) place = (place + 1) & mask;
  return place;
}

static bool put(uint64_t* table, uint64_t mask, uint64_t key) {
  const uint64_t place = find(table, mask, key);
  if (table[place] == key) return false;
  table[place] = key;
  return true;
}

// What lies behind a hole moves up, unless it would come before the place that is its own.
static bool take(uint64_t* table, uint64_t mask, uint64_t key) {
  uint64_t hole = find(table, mask, key);
  if (table[hole] != key) return false;
  for (uint64_t place = (hole + 1) & mask; table[place] != 0; place = (place + 1) & mask) {
    if (((place - place_of(table[place], mask)) & mask) < ((place - hole) & mask)) continue;
    table[hole] = table[place];
    hole = place;
  }
  table[hole] = 0;
  return true;
}

// Key `number`, never 0, no key twice: a product with an odd number.
static uint64_t key_of(uint64_t number) { return (number + 1) * 0xd6e8feb86659fd93; }

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 3, 32);
  const uint64_t places = (uint64_t)1 << given.size, mask = places - 1, part = places / 4;
  uint64_t* table = memory(places, sizeof *table);
  uint64_t state = 1, hits = 0, first = 0, last = 0;
  bool right = true;
  for (; last < part; last++) right &= put(table, mask, key_of(last));
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    for (const uint64_t until = last + part; last < until; last++) right &= put(table, mask, key_of(last));
    for (uint64_t number = 0; number < part; number++) {
      const uint64_t key = key_of(below(&state, 2 * last));  // of those that will come, too
      hits += table[find(table, mask, key)] == key;
    }
    for (const uint64_t until = first + part; first < until; first++) right &= take(table, mask, key_of(first));
  }
  uint64_t held = 0;
  for (uint64_t place = 0; place < places; place++) held += table[place] != 0;
  for (uint64_t number = 0; number < last; number++) {
    const uint64_t key = key_of(number);
    right &= (table[find(table, mask, key)] == key) == (number >= first);
  }
  return end("dictionary", right && held == last - first, (double)hits);
}
