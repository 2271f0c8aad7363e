// SPDX-License-Identifier: Apache-2.0
#include "../axi.hpp"

#include <gtest/gtest.h>

namespace weir::bench {
namespace {

void expectBeat(const Burst& burst, unsigned index, uint64_t address, unsigned bytes) {
  EXPECT_EQ(burst.beat(index).address, address) << "beat " << index;
  EXPECT_EQ(burst.beat(index).bytes, bytes) << "beat " << index;
}

TEST(Burst, UnalignedIncrIsShortInItsFirstBeatOnly) {
  const Burst burst{0x1003, 3, 4, BurstKind::kIncr};
  expectBeat(burst, 0, 0x1003, 1);
  expectBeat(burst, 1, 0x1004, 4);
  expectBeat(burst, 2, 0x1008, 4);
  EXPECT_EQ(burst.lowest(), 0x1003u);
  EXPECT_EQ(burst.extent(), 9u);
}

TEST(Burst, WrapReturnsToItsBlock) {
  const Burst burst{0x2030, 4, 16, BurstKind::kWrap};
  expectBeat(burst, 0, 0x2030, 16);
  expectBeat(burst, 1, 0x2000, 16);
  expectBeat(burst, 3, 0x2020, 16);
  EXPECT_EQ(burst.lowest(), 0x2000u);
  EXPECT_EQ(burst.extent(), 64u);
}

TEST(Burst, FixedStays) {
  const Burst burst{0x3005, 4, 8, BurstKind::kFixed};
  expectBeat(burst, 0, 0x3005, 3);
  expectBeat(burst, 3, 0x3005, 3);
  EXPECT_EQ(burst.lowest(), 0x3005u);
  EXPECT_EQ(burst.extent(), 3u);
}

TEST(Burst, SizeIsTheLogarithmOfTheBeat) {
  EXPECT_EQ((Burst{0, 1, 1}.size()), 0u);
  EXPECT_EQ((Burst{0, 1, 64}.size()), 6u);
}

}  // namespace
}  // namespace weir::bench
