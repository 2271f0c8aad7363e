// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random legal AXI4 bursts of every kind, for the soak.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "axi.hpp"
#include "patterns.hpp"

namespace weir::bench {

/// Whether bursts may go to a page, by its number from the first byte of memory.
using Allowed = std::function<bool(uint64_t page)>;

/// Where the bursts of a while go: a few pages in which all ports meet, so that reads and writes of the same bytes are
/// in flight together. The pages lie in neighbouring rows of one bank, or in neighbouring banks, or anywhere.
struct Meeting {
  std::vector<uint64_t> pages;  ///< bus addresses, each of 4096 bytes
  unsigned bytes;               ///< of each page that are used, from its start

  /// Of pages that may be accessed.
  Meeting(const Layout& layout, const Allowed& allowed, std::mt19937_64& random);
  /// Of these pages.
  Meeting(std::vector<uint64_t> pages, std::mt19937_64& random);
};

/// Draws bursts that AXI4 allows: INCR, WRAP and FIXED, of every size up to the bus, aligned or not, of 1 to 256 beats,
/// never across 4 KiB. Most go to the meeting pages, some anywhere in memory where they may, a few outside it.
class RandomBursts {
 public:
  RandomBursts(const Layout& layout, Allowed allowed, unsigned addressBits, unsigned busBytes, unsigned ids);

  Burst next(const Meeting& meeting, std::mt19937_64& random) const;

 private:
  uint64_t page(const Meeting& meeting, std::mt19937_64& random) const;
  bool allowsExclusive(const Burst& burst) const;

  const Layout layout_;
  const Allowed allowed_;
  const uint64_t pagesOutside_;
  const unsigned busBytes_, ids_;
};

}  // namespace weir::bench
