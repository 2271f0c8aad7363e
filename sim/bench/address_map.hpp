// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where the controller's address maps put memory's lines, by arithmetic of their own.
#pragma once

#include <cstdint>
#include <string>

namespace weir::bench {

/// How memory is laid out. All but `lineBytes` and `lines` count within the next larger thing; pseudo-ranks are ranks.
struct Organisation {
  unsigned channels, ranks, banks;  ///< of memory, a channel, a rank
  uint64_t rows;                    ///< of a bank
  unsigned lines;                   ///< of a row
  unsigned lineBytes;
};

/// A line's place: which channel, and the byte of that channel in the order row, rank, bank, column, which is the DRAM
/// model's.
struct LinePlace {
  unsigned channel;
  uint64_t offset;
};

/// An address map of docs/address-maps.md, as it is after reset.
class AddressMap {
 public:
  /// Throws std::invalid_argument for a map that is not in docs/address-maps.md.
  AddressMap(const std::string& name, const Organisation& organisation);

  /// Of the line at a byte offset from the first byte of memory.
  LinePlace place(uint64_t offset) const;
  unsigned lineBytes() const { return organisation_.lineBytes; }

 private:
  enum class Kind { kRowRank, kRankRow, kChannelInTurn, kPageInTurn, kBankInTurn, kBankXor };

  const Organisation organisation_;
  Kind kind_;
};

}  // namespace weir::bench
