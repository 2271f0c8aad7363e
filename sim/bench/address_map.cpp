// SPDX-License-Identifier: Apache-2.0
#include "address_map.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace weir::bench {

namespace {

constexpr uint64_t kCacheLineBytes = 64, kPageBytes = 4096;
/// Cache lines that lie in one bank where banks take turns.
constexpr uint64_t kCacheLinesOfBank = 4;

/// Takes a digit of that base off a number, at its lower end.
uint64_t take(uint64_t& number, uint64_t base) {
  const uint64_t digit = number % base;
  number /= base;
  return digit;
}

}  // namespace

AddressMap::AddressMap(const std::string& name, const Organisation& organisation) : organisation_(organisation) {
  const std::map<std::string, Kind> kinds = {
      {"row_rank_bank_column", Kind::kRowRank},      {"rank_row_bank_column", Kind::kRankRow},
      {"channel_interleaved", Kind::kChannelInTurn}, {"non_interleaved", Kind::kPageInTurn},
      {"bank_interleaved", Kind::kBankInTurn},       {"bank_xor", Kind::kBankXor},
  };
  const auto found = kinds.find(name);
  if (found == kinds.end()) throw std::invalid_argument("address map " + name + ": is not known to the bench");
  kind_ = found->second;
}

LinePlace AddressMap::place(uint64_t offset) const {
  const auto& [channels, ranks, banks, rows, lines, lineBytes] = organisation_;
  uint64_t line = offset / lineBytes;
  uint64_t channel = 0, rank = 0, bank = 0, row = 0, column = 0;

  if (kind_ == Kind::kBankInTurn || kind_ == Kind::kBankXor) {
    const uint64_t chunk = std::min<uint64_t>(lines, kCacheLinesOfBank * kCacheLineBytes / lineBytes);
    column = take(line, chunk);
    bank = take(line, banks);
    column += chunk * take(line, lines / chunk);
    channel = take(line, channels);
    rank = take(line, ranks);
    row = line;
    if (kind_ == Kind::kBankXor) bank ^= row % banks;
  } else {
    if (kind_ == Kind::kChannelInTurn || kind_ == Kind::kPageInTurn) {
      const uint64_t piece = kind_ == Kind::kChannelInTurn ? kCacheLineBytes / lineBytes
                                                           : std::max<uint64_t>(lines, kPageBytes / lineBytes);
      const uint64_t within = take(line, piece);
      channel = take(line, channels);
      line = line * piece + within;
    }
    column = take(line, lines);
    bank = take(line, banks);
    if (kind_ == Kind::kRankRow) {
      row = take(line, rows);
      rank = take(line, ranks);
    } else {
      rank = take(line, ranks);
      row = take(line, rows);
    }
    if (line != 0) channel = line;
  }
  return {static_cast<unsigned>(channel), (((row * ranks + rank) * banks + bank) * lines + column) * lineBytes};
}

}  // namespace weir::bench
