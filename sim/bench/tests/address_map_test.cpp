// SPDX-License-Identifier: Apache-2.0
#include "../address_map.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <utility>

namespace weir::bench {
namespace {

constexpr const char* kMaps[] = {"row_rank_bank_column", "rank_row_bank_column", "channel_interleaved",
                                 "non_interleaved",      "bank_interleaved",     "bank_xor"};

/// Byte of the channel in the order row, rank, bank, column.
uint64_t byteOf(const Organisation& in, uint64_t row, uint64_t rank, uint64_t bank, uint64_t column) {
  return (((row * in.ranks + rank) * in.banks + bank) * in.lines + column) * in.lineBytes;
}

TEST(AddressMap, GivesEachLineAPlaceOfItsOwn) {
  // a row that is longer than a page, and one that is shorter than a cache line
  for (const Organisation& in : {Organisation{2, 2, 4, 16, 128, 64}, Organisation{2, 4, 4, 16, 4, 8}})
    for (const char* name : kMaps) {
      const AddressMap map(name, in);
      std::set<std::pair<unsigned, uint64_t>> places;
      const uint64_t count = uint64_t{in.channels} * in.ranks * in.banks * in.rows * in.lines;
      for (uint64_t line = 0; line < count; ++line) {
        const LinePlace place = map.place(line * in.lineBytes);
        ASSERT_LT(place.channel, in.channels) << name;
        ASSERT_LT(place.offset, count / in.channels * in.lineBytes) << name;
        places.insert({place.channel, place.offset});
      }
      EXPECT_EQ(places.size(), count) << name;
    }
}

TEST(AddressMap, IsThatOfTheDocument) {
  const Organisation in{2, 2, 8, 1024, 128, 64};  // a page is 64 lines, half a row
  const auto expect = [&](const char* name, uint64_t line, unsigned channel, uint64_t row, uint64_t rank, uint64_t bank,
                          uint64_t column) {
    const LinePlace place = AddressMap(name, in).place(line * in.lineBytes);
    EXPECT_EQ(place.channel, channel) << name << " line " << line;
    EXPECT_EQ(place.offset, byteOf(in, row, rank, bank, column)) << name << " line " << line;
  };
  constexpr uint64_t kRow = 128, kBanks = 8, kChannel = 2 * kBanks * 1024 * kRow;
  expect("row_rank_bank_column", 3 + 5 * kRow, 0, 0, 0, 5, 3);
  expect("row_rank_bank_column", kBanks * kRow, 0, 0, 1, 0, 0);
  expect("row_rank_bank_column", kChannel + 2 * kBanks * kRow, 1, 1, 0, 0, 0);
  expect("rank_row_bank_column", kBanks * kRow, 0, 1, 0, 0, 0);
  expect("rank_row_bank_column", kBanks * kRow * 1024, 0, 0, 1, 0, 0);
  expect("channel_interleaved", 1, 1, 0, 0, 0, 0);
  expect("channel_interleaved", 2, 0, 0, 0, 0, 1);
  expect("non_interleaved", kRow - 1, 0, 0, 0, 0, 127);
  expect("non_interleaved", kRow, 1, 0, 0, 0, 0);
  expect("non_interleaved", 2 * kRow, 0, 0, 0, 1, 0);
  expect("bank_interleaved", 4, 0, 0, 0, 1, 0);
  expect("bank_interleaved", 4 * kBanks, 0, 0, 0, 0, 4);
  expect("bank_interleaved", kRow * kBanks, 1, 0, 0, 0, 0);
  expect("bank_interleaved", 2 * kRow * kBanks, 0, 0, 1, 0, 0);
  expect("bank_interleaved", 4 * kRow * kBanks, 0, 1, 0, 0, 0);
  expect("bank_xor", 4 * kRow * kBanks, 0, 1, 0, 1, 0);
  expect("bank_xor", 4 * kRow * kBanks + 4, 0, 1, 0, 0, 0);
}

TEST(AddressMap, RefusesANameThatItDoesNotKnow) {
  EXPECT_THROW(AddressMap("row", {1, 1, 8, 1024, 128, 64}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::bench
