// SPDX-License-Identifier: Apache-2.0
#include "../random_bursts.hpp"

#include <gtest/gtest.h>

#include <set>

namespace weir::bench {
namespace {

const Allowed kAnywhere = [](uint64_t) { return true; };
constexpr Layout kLayout{0x80000000, 1 << 28, 8192, 16};

TEST(RandomBursts, AreLegalAndOfEveryKind) {
  for (const unsigned busBytes : {4u, 8u, 64u}) {
    std::mt19937_64 random(1);
    const Meeting meeting(kLayout, kAnywhere, random);
    const RandomBursts bursts(kLayout, kAnywhere, 32, busBytes, 16);
    std::set<BurstKind> kinds;
    std::set<unsigned> ids, sizes;
    unsigned outside = 0, exclusive = 0, unaligned = 0;
    for (int count = 0; count < 100000; ++count) {
      const Burst burst = bursts.next(meeting, random);
      ASSERT_EQ(burst.lowest() / 4096, (burst.lowest() + burst.extent() - 1) / 4096) << "crosses 4 KiB";
      ASSERT_LE(burst.beatBytes, busBytes);
      ASSERT_GE(burst.beats, 1u);
      ASSERT_LT(burst.address, uint64_t{1} << 32);
      if (burst.kind == BurstKind::kWrap) {
        ASSERT_TRUE(burst.beats == 2 || burst.beats == 4 || burst.beats == 8 || burst.beats == 16) << burst.beats;
        ASSERT_EQ(burst.address % burst.beatBytes, 0u);
      } else {
        ASSERT_LE(burst.beats, burst.kind == BurstKind::kFixed ? 16u : 256u);
      }
      if (burst.exclusive) {
        const unsigned bytes = burst.beats * burst.beatBytes;
        ASSERT_LE(bytes, 128u);
        ASSERT_EQ(burst.address % bytes, 0u);
      }
      kinds.insert(burst.kind);
      ids.insert(burst.id);
      sizes.insert(burst.beatBytes);
      const bool within = burst.lowest() >= kLayout.base && burst.lowest() - kLayout.base < kLayout.bytes;
      outside += !within;
      exclusive += burst.exclusive;
      unaligned += burst.address % burst.beatBytes != 0;
    }
    EXPECT_EQ(kinds.size(), 3u);
    EXPECT_EQ(ids.size(), 16u);
    EXPECT_EQ(sizes.size(), static_cast<size_t>(__builtin_ctz(busBytes) + 1));
    EXPECT_GT(outside, 500u);
    EXPECT_GT(exclusive, 500u);
    EXPECT_GT(unaligned, 500u);
  }
}

TEST(RandomBursts, StayInsideWhenMemoryFillsTheAddresses) {
  const Layout all{0, uint64_t{1} << 32, 8192, 16};
  std::mt19937_64 random(2);
  const Meeting meeting(all, kAnywhere, random);
  const RandomBursts bursts(all, kAnywhere, 32, 8, 2);
  for (int count = 0; count < 10000; ++count) ASSERT_LT(bursts.next(meeting, random).address, uint64_t{1} << 32);
}

TEST(RandomBursts, KnowMemoryAtTheEndOf64AddressBits) {
  const Layout last{~uint64_t{0} - (1 << 20) + 1, 1 << 20, 1024, 8};
  std::mt19937_64 random(4);
  const Meeting meeting(last, kAnywhere, random);
  const RandomBursts bursts(last, kAnywhere, 64, 8, 2);
  unsigned outside = 0;
  for (int count = 0; count < 10000; ++count) outside += bursts.next(meeting, random).address < last.base;
  EXPECT_GT(outside, 50u);
  EXPECT_LT(outside, 500u);
}

TEST(RandomBursts, StayOutOfPagesThatTheyMayNotAccess) {
  const Allowed odd = [](uint64_t page) { return page % 2 == 1; };
  std::mt19937_64 random(3);
  for (int stretch = 0; stretch < 100; ++stretch) {
    const Meeting meeting(kLayout, odd, random);
    const RandomBursts bursts(kLayout, odd, 32, 8, 2);
    for (int count = 0; count < 1000; ++count) {
      const Burst burst = bursts.next(meeting, random);
      const bool within = burst.address >= kLayout.base && burst.address - kLayout.base < kLayout.bytes;
      ASSERT_TRUE(!within || burst.address / 4096 % 2 == 1) << std::hex << burst.address;
    }
  }
}

TEST(RandomBursts, OneSeedGivesOneStream) {
  std::mt19937_64 one(7), same(7), other(8);
  const Meeting meeting(kLayout, kAnywhere, one), meetingAgain(kLayout, kAnywhere, same),
      otherMeeting(kLayout, kAnywhere, other);
  EXPECT_EQ(meeting.pages, meetingAgain.pages);
  EXPECT_NE(meeting.pages, otherMeeting.pages);
  const RandomBursts bursts(kLayout, kAnywhere, 32, 8, 16);
  for (int count = 0; count < 100; ++count)
    EXPECT_EQ(bursts.next(meeting, one).address, bursts.next(meetingAgain, same).address);
}

}  // namespace
}  // namespace weir::bench
