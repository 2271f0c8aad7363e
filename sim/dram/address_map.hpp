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

/// Order of byte addresses for preload and dump, the column lowest (Config::addressMap):
///
/// - row, rank, bank, column: how Weir and LiteDRAM ("ROW_BANK_COL", the rank above the bank) lay a linear memory out
/// by
///   default;
/// - rank, row, bank, column: how Weir does where ranks are not all of one kind of memory. Its pseudo-ranks are ranks
///   here, so that the bits of the bank that tell them are above the row.
class AddressMap {
 public:
  explicit AddressMap(const Config& config)
      : rankOnTop_(config.addressMap == "rank_row_bank_column"),
        pseudoRanks_(static_cast<unsigned>(config.pseudoRanks)),
        ranks_(static_cast<unsigned>(config.ranks) * pseudoRanks_),
        banks_(static_cast<unsigned>(config.banks()) / pseudoRanks_),
        rows_(std::uint64_t{1} << config.rowBits),
        rowBytes_(static_cast<unsigned>(config.rowBytes())),
        bytes_(config.bytes()) {}

  std::uint64_t bytes() const { return bytes_; }

  Place place(std::uint64_t address) const {
    std::uint64_t n = address / rowBytes_;
    const std::uint64_t bank = n % banks_;
    n /= banks_;
    const std::uint64_t rank = rankOnTop_ ? n / rows_ : n % ranks_;
    Place p;
    p.offset = static_cast<std::uint32_t>(address % rowBytes_);
    p.bank = static_cast<int>(rank % pseudoRanks_ * banks_ + bank);
    p.rank = static_cast<int>(rank / pseudoRanks_);
    p.row = static_cast<std::uint32_t>(rankOnTop_ ? n % rows_ : n / ranks_);
    return p;
  }

  std::uint64_t address(const Place& p) const {
    const std::uint64_t bank = static_cast<unsigned>(p.bank) % banks_;
    const std::uint64_t rank = static_cast<unsigned>(p.rank) * pseudoRanks_ + static_cast<unsigned>(p.bank) / banks_;
    const std::uint64_t n = rankOnTop_ ? rank * rows_ + p.row : std::uint64_t{p.row} * ranks_ + rank;
    return (n * banks_ + bank) * rowBytes_ + p.offset;
  }

 private:
  bool rankOnTop_;
  std::uint64_t pseudoRanks_;
  std::uint64_t ranks_, banks_;  ///< pseudo-ranks, and banks of each
  std::uint64_t rows_, rowBytes_, bytes_;
};

}  // namespace weir::dram
