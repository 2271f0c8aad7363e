// SPDX-License-Identifier: Apache-2.0
/// @file
/// A Wishbone master that gives accesses up: it takes CYC away in any cycle before the answer, and goes on with others.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::core_test {

/// What became of the accesses.
struct GivenUpCounts {
  uint64_t reads = 0, writes = 0, givenUp = 0;
};

/// Some accesses of a few words from `base` on, half of which are given up after up to `longest` cycles. A write that
/// is given up is done whole or not at all, so a word may hold what was written last or what was given up since.
/// `machine.wishbone(address, write, lanes, value, patience)` returns nothing when patience ended.
template <class Machine>
GivenUpCounts giveUp(Machine& machine, uint64_t base, unsigned accesses, std::mt19937_64& random) {
  constexpr uint64_t kWords = 8, kSpacing = 1 << 14, kLongest = 40, kForever = UINT64_MAX;
  GivenUpCounts counts;
  std::vector<std::set<uint32_t>> expected(kWords);
  for (uint64_t word = 0; word < kWords; ++word) {
    expected[word] = {static_cast<uint32_t>(word)};
    machine.wishbone(base + word * kSpacing, true, 15, static_cast<uint32_t>(word), kForever);
  }
  for (unsigned access = 0; access < accesses; ++access) {
    const uint64_t word = random() % kWords;
    const bool write = random() % 2 == 0;
    const auto value = static_cast<uint32_t>(random());
    const uint64_t patience = random() % 2 == 0 ? kForever : 1 + random() % kLongest;
    const std::optional<uint32_t> found = machine.wishbone(base + word * kSpacing, write, 15, value, patience);
    if (!found) {
      ++counts.givenUp;
      if (write) expected[word].insert(value);
    } else if (write) {
      ++counts.writes;
      expected[word] = {value};
    } else {
      ++counts.reads;
      if (expected[word].count(*found) == 0)
        throw std::runtime_error("Wishbone: read " + std::to_string(counts.reads) +
                                 " after accesses that were given up: word " + std::to_string(word) + " is " +
                                 std::to_string(*found));
      expected[word] = {*found};
    }
    for (uint64_t rest = random() % 4; rest != 0; --rest) machine.step();
  }
  return counts;
}

}  // namespace weir::core_test
