// SPDX-License-Identifier: Apache-2.0
/// @file
/// Random legal AXI4 bursts of every kind, for the soak.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "axi.hpp"
#include "patterns.hpp"

namespace weir::traffic {

/// Where the bursts of a while go: a few pages in which all ports meet, so that reads and writes of the same bytes are
/// in flight together. The pages lie in neighbouring rows of one bank, or in neighbouring banks, or anywhere.
struct Meeting {
  std::vector<uint64_t> pages;  ///< bus addresses, each of 4096 bytes
  unsigned bytes;               ///< of each page that are used, from its start

  Meeting(const Layout& layout, std::mt19937_64& random);
};

/// Draws bursts that AXI4 allows: INCR, WRAP and FIXED, of every size up to the bus, aligned or not, of 1 to 256 beats,
/// never across 4 KiB. Most go to the meeting pages, some anywhere in memory, a few outside it.
class RandomBursts {
 public:
  RandomBursts(const Layout& layout, unsigned addressBits, unsigned busBytes, unsigned ids);

  Burst next(const Meeting& meeting, std::mt19937_64& random) const;

 private:
  uint64_t page(const Meeting& meeting, std::mt19937_64& random) const;
  bool allowsExclusive(const Burst& burst) const;

  const Layout layout_;
  const uint64_t pagesOutside_;
  const unsigned busBytes_, ids_;
};

}  // namespace weir::traffic
