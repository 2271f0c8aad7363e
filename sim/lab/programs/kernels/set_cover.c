// SPDX-License-Identifier: Apache-2.0
// Sets that together have all of SIZE elements, as few as the greedy way finds, as PBBS's set cover: the one with the
// most that are not covered yet, time and again. Sets are of up to 64 elements by chance, as many sets as elements;
// every element is in one set at least. A round covers anew.
#include <string.h>

#include "kernel.h"

enum { LARGEST = 64 };

int main(int argc, char** argv) {
  const Arguments given = arguments(argc, argv, 1, 1 << 26);
  const uint64_t count = given.size;
  uint64_t* begin = memory(count + 1, sizeof *begin);
  uint64_t state = 1;
  for (uint64_t set = 0; set < count; set++) begin[set + 1] = begin[set] + 1 + below(&state, LARGEST);
  uint32_t* element = memory(begin[count], sizeof *element);
  for (uint64_t set = 0; set < count; set++) {
    element[begin[set]] = (uint32_t)set;
    for (uint64_t at = begin[set] + 1; at < begin[set + 1]; at++) element[at] = (uint32_t)below(&state, count);
  }
  bool* covered = memory(count, sizeof *covered);
  // sets by how many of theirs were not covered when that was last counted: lists with their heads
  uint32_t *next = memory(count + 1, sizeof *next), *head = memory(LARGEST + 1, sizeof *head);
  uint64_t chosen = 0, left = 0;
  ready();
  for (uint64_t round = 0; round < given.rounds; round++) {
    memset(covered, 0, count * sizeof *covered);
    memset(head, 0, (LARGEST + 1) * sizeof *head);
    for (uint32_t set = 0; set < count; set++) {  // 0 ends a list: they hold the number of a set plus 1
      const uint64_t size = begin[set + 1] - begin[set];
      next[set + 1] = head[size];
      head[size] = set + 1;
    }
    chosen = 0;
    left = count;
    for (uint64_t size = LARGEST; size > 0 && left > 0;) {
      const uint32_t set = head[size];
      if (set == 0) {
        size--;
        continue;
      }
      head[size] = next[set];
      uint64_t fresh = 0;
      for (uint64_t at = begin[set - 1]; at < begin[set]; at++) fresh += !covered[element[at]];
      if (fresh < size) {  // counts only fall: it waits among those of its size
        next[set] = head[fresh];
        head[fresh] = set;
        continue;
      }
      for (uint64_t at = begin[set - 1]; at < begin[set]; at++) {
        left -= !covered[element[at]];
        covered[element[at]] = true;
      }
      chosen++;
    }
  }
  bool right = left == 0;
  for (uint64_t at = 0; at < count; at++) right &= covered[at];
  return end("set_cover", right, (double)chosen);
}
