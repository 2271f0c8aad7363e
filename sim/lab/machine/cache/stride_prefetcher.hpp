// SPDX-License-Identifier: Apache-2.0
/// @file
/// A prefetcher that learns strides within pages.
#pragma once

#include <cstdint>
#include <vector>

namespace weir::lab {

struct StrideConfig {
  unsigned entries, degree, distance;
};

/// Watches the lines that a core misses. Two equal strides within a page of 4 KiB make it ask for `degree` lines from
/// `distance` strides ahead on, as far as the page goes: the next one is elsewhere in physical memory.
class StridePrefetcher {
 public:
  static constexpr uint64_t kLinesOfPage = 64;

  /// `entries`, a power of two, is how many pages it knows.
  explicit StridePrefetcher(const StrideConfig& config) : config_(config), entries_(config.entries) {}

  /// The lines to prefetch after a miss of `line`; valid until the next call.
  const std::vector<uint64_t>& missed(uint64_t line) {
    wanted_.clear();
    const uint64_t page = line / kLinesOfPage;
    Entry& entry = entries_[page & (entries_.size() - 1)];
    if (entry.page != page) {
      entry = {page, line, 0};
      return wanted_;
    }
    const int64_t stride = static_cast<int64_t>(line - entry.last);
    if (stride == 0) return wanted_;
    if (stride == entry.stride)
      for (unsigned ahead = config_.distance; ahead < config_.distance + config_.degree; ++ahead) {
        const uint64_t target = line + static_cast<uint64_t>(stride * ahead);
        if (target / kLinesOfPage != page) break;
        wanted_.push_back(target);
      }
    entry.stride = stride;
    entry.last = line;
    return wanted_;
  }

 private:
  struct Entry {
    uint64_t page = ~uint64_t{0}, last = 0;
    int64_t stride = 0;
  };
  const StrideConfig config_;
  std::vector<Entry> entries_;
  std::vector<uint64_t> wanted_;
};

}  // namespace weir::lab
