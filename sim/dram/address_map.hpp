// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where a byte address of the channel lies.
#pragma once

#include <cstdint>

#include "config.hpp"

namespace weir::dram {

/// A byte's place in the channel.
struct Place {
  int rank = 0;
  int bank = 0;
  std::uint32_t row = 0;
  std::uint32_t offset = 0;  ///< byte of the row, over the whole bus: column * DQ / 8 + byte of the beat
};

/// Order of byte addresses for preload and dump: row, rank, bank, column, the column lowest. This is how Weir and
/// LiteDRAM ("ROW_BANK_COL", the rank above the bank) lay a linear memory out by default.
class AddressMap {
 public:
  explicit AddressMap(const Config& config)
      : ranks_(static_cast<unsigned>(config.ranks)),
        banks_(static_cast<unsigned>(config.banks())),
        rowBytes_(static_cast<unsigned>(config.rowBytes())),
        bytes_(config.bytes()) {}

  std::uint64_t bytes() const { return bytes_; }

  Place place(std::uint64_t address) const {
    const std::uint64_t n = address / rowBytes_;
    Place p;
    p.offset = static_cast<std::uint32_t>(address % rowBytes_);
    p.bank = static_cast<int>(n % banks_);
    p.rank = static_cast<int>(n / banks_ % ranks_);
    p.row = static_cast<std::uint32_t>(n / banks_ / ranks_);
    return p;
  }

  std::uint64_t address(const Place& p) const {
    return ((std::uint64_t{p.row} * ranks_ + static_cast<unsigned>(p.rank)) * banks_ + static_cast<unsigned>(p.bank)) *
               rowBytes_ +
           p.offset;
  }

 private:
  std::uint64_t ranks_, banks_, rowBytes_, bytes_;
};

}  // namespace weir::dram
