// SPDX-License-Identifier: Apache-2.0
// Where preload and dump find a byte.
#include "address_map.hpp"

#include "bench.hpp"

namespace weir::dram::test {
namespace {

/// Ranks of eight banks of 256 rows of 8 KiB.
Config small(const std::string& map, int ranks, int pseudoRanks = 1) {
  Config c = ddr3(ranks);
  c.rowBits = 8;
  c.addressMap = map;
  c.pseudoRanks = pseudoRanks;
  return c;
}

void expectPlace(const Config& config, std::uint64_t address, const Place& expected) {
  const AddressMap map(config);
  const Place found = map.place(address);
  EXPECT_EQ(found.rank, expected.rank) << std::hex << address;
  EXPECT_EQ(found.bank, expected.bank) << std::hex << address;
  EXPECT_EQ(found.row, expected.row) << std::hex << address;
  EXPECT_EQ(found.offset, expected.offset) << std::hex << address;
  EXPECT_EQ(map.address(expected), address);
}

constexpr std::uint64_t kRow = 8192, kRank = 256 * 8 * kRow;

TEST(AddressMap, hasTheRankBelowTheRow) {
  const Config c = small("row_rank_bank_column", 2);
  expectPlace(c, 3 * kRow + 17, {0, 3, 0, 17});
  expectPlace(c, 8 * kRow, {1, 0, 0, 0});
  expectPlace(c, 16 * kRow, {0, 0, 1, 0});
  expectPlace(c, 2 * kRank - 1, {1, 7, 255, 8191});
}

TEST(AddressMap, hasTheRankOnTop) {
  const Config c = small("rank_row_bank_column", 2);
  expectPlace(c, 3 * kRow + 17, {0, 3, 0, 17});
  expectPlace(c, 8 * kRow, {0, 0, 1, 0});
  expectPlace(c, kRank - 1, {0, 7, 255, 8191});
  expectPlace(c, kRank, {1, 0, 0, 0});
  expectPlace(c, kRank + 21 * kRow + 5, {1, 5, 2, 5});
}

TEST(AddressMap, hasPseudoRanksOnTop) {
  const Config c = small("rank_row_bank_column", 2, 2);
  expectPlace(c, 3 * kRow, {0, 3, 0, 0});
  expectPlace(c, 4 * kRow, {0, 0, 1, 0});
  expectPlace(c, kRank / 2, {0, 4, 0, 0});
  expectPlace(c, kRank + kRank / 2 + 6 * kRow + 1, {1, 6, 1, 1});
}

TEST(AddressMap, dumpsWhatIsWrittenInEitherOrder) {
  for (const auto& [map, address] : {std::pair{"row_rank_bank_column", (5 * 2 + 1) * 8 * kRow + 2 * kRow + 64},
                                     std::pair{"rank_row_bank_column", kRank + (5 * 8 + 2) * kRow + 64}}) {
    Bench bench(small(map, 2));
    Step write = wr(20, 2, 8, 2);
    write.line = lineOf(9);
    bench.run({act(0, 2, 5, 2), write});
    Line found;
    bench.dram.dump(address, found.data(), found.size());
    EXPECT_EQ(found, write.line) << map;
    bench.dram.preload(address, lineOf(4).data(), found.size());
    bench.run({rd(bench.dram.now() + 20, 2, 8, 2)});
    EXPECT_EQ(bench.lines.rbegin()->second, lineOf(4)) << map;
  }
}

TEST(AddressMap, thatIsUnknownIsRefused) {
  const auto refusal = [](const Config& c) -> std::string {
    try {
      Dram dram(c);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(small("bank_row", 1)).find("ADDRESS_MAP = bank_row"), std::string::npos);
  EXPECT_NE(refusal(small("rank_row_bank_column", 1, 3)).find("PSEUDO_RANKS = 3"), std::string::npos);
  EXPECT_NE(refusal(small("rank_row_bank_column", 1, 16)).find("PSEUDO_RANKS = 16"), std::string::npos);
}

}  // namespace
}  // namespace weir::dram::test
