// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tags of a set-associative cache with LRU replacement.
#pragma once

#include <cstdint>
#include <vector>

namespace weir::lab {

/// Bytes of a line, of all caches and of a request to memory.
constexpr unsigned kLineBytes = 64;

/// A line of a cache, by its number: address / kLineBytes.
struct CacheLine {
  static constexpr uint64_t kInvalid = ~uint64_t{0};
  uint64_t number = kInvalid;
  uint64_t used = 0;  ///< when, in the cache's own count of uses
  bool dirty = false;
  bool owned = false;       ///< no other cache of the level has it
  bool pending = false;     ///< its data are under way: never a victim
  bool prefetched = false;  ///< no core has asked for it yet
  bool valid() const { return number != kInvalid; }
};

class SetAssociative {
 public:
  /// `sets` is a power of two.
  SetAssociative(uint64_t sets, unsigned ways) : ways_(ways), mask_(sets - 1), lines_(sets * ways) {}

  /// The line, or nullptr. It is not used by that.
  CacheLine* find(uint64_t number) {
    CacheLine* set = &lines_[(number & mask_) * ways_];
    for (unsigned way = 0; way < ways_; ++way)
      if (set[way].number == number) return &set[way];
    return nullptr;
  }

  void use(CacheLine& line) { line.used = ++uses_; }

  /// Where a line that is not there goes: an invalid way, else the one not used for longest, else, when all are
  /// pending, nullptr. What is there is the caller's to save.
  CacheLine* victim(uint64_t number) {
    CacheLine* set = &lines_[(number & mask_) * ways_];
    CacheLine* found = nullptr;
    for (unsigned way = 0; way < ways_; ++way) {
      if (!set[way].valid()) return &set[way];
      if (!set[way].pending && (found == nullptr || set[way].used < found->used)) found = &set[way];
    }
    return found;
  }

 private:
  const unsigned ways_;
  const uint64_t mask_;
  uint64_t uses_ = 0;
  std::vector<CacheLine> lines_;
};

}  // namespace weir::lab
