// SPDX-License-Identifier: Apache-2.0
// Updates of random words of a table of 2^SIZE words, by HPC Challenge's RandomAccess: as many updates in a round as
// there are words. The same updates once more leave the table as it was.
#include "kernel.h"

enum { POLYNOMIAL = 7 };  // of the sequence, x^64 + x^2 + x + 1

static void update(uint64_t* table, uint64_t words, uint64_t updates) {
  uint64_t value = 1;
  for (uint64_t number = 0; number < updates; number++) {
    value = value << 1 ^ ((int64_t)value < 0 ? POLYNOMIAL : 0);
    table[value & (words - 1)] ^= value;
  }
}

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 4, 32);
  const uint64_t words = (uint64_t)1 << given.size;
  uint64_t* table = memory(words, sizeof *table);
  for (uint64_t word = 0; word < words; word++) table[word] = word;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) update(table, words, words);
  uint64_t sum = 0;
  for (uint64_t word = 0; word < words; word++) sum += table[word];
  for (uint64_t round = 0; round < given.rounds; round++) update(table, words, words);
  bool right = true;
  for (uint64_t word = 0; word < words; word++) right &= table[word] == word;
  return end("gups", right, (double)sum);
}
