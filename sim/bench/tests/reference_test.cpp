// SPDX-License-Identifier: Apache-2.0
#include "../reference.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weir::bench {
namespace {

constexpr uint64_t kBase = 0x80000000;
constexpr uint64_t kAll = ~uint64_t{0};

/// A memory of zeros; writes and reads of single bytes or of four at once.
class Reference : public testing::Test {
 protected:
  ReferenceMemory memory{kBase, 1 << 20, [](uint64_t) { return ReferenceMemory::LineData{}; }};

  uint64_t write(uint64_t cycle, unsigned port, unsigned id, uint64_t address, uint8_t value, unsigned bytes = 1,
                 uint64_t strobe = kAll) {
    const std::vector<uint8_t> data(bytes, value);
    const uint64_t write = memory.writeBegins(cycle, port, id);
    memory.writeBytes(write, address, data.data(), strobe, bytes);
    return write;
  }

  bool legal(uint64_t read, uint64_t address, uint8_t value) { return !memory.check(read, address, &value, 1); }

  /// Whether a read that begins in a cycle may return the value.
  bool reads(uint64_t cycle, uint64_t address, uint8_t value) {
    const uint64_t read = memory.readBegins(cycle);
    const bool result = legal(read, address, value);
    memory.readEnds(read);
    return result;
  }
};

TEST_F(Reference, KnowsItsRange) {
  EXPECT_TRUE(memory.holds(kBase, 1 << 20));
  EXPECT_FALSE(memory.holds(kBase - 1, 1));
  EXPECT_FALSE(memory.holds(kBase + (1 << 20) - 1, 2));
  EXPECT_FALSE(memory.holds(kBase, ~uint64_t{0}));
}

TEST_F(Reference, HoldsTheInitialContentUntilAWrite) {
  EXPECT_TRUE(reads(1, kBase, 0));
  EXPECT_FALSE(reads(1, kBase, 1));
}

TEST_F(Reference, AReadAfterBMustSeeTheWrite) {
  memory.writeEnds(write(10, 0, 0, kBase, 7), 20);
  EXPECT_TRUE(reads(21, kBase, 7));
  EXPECT_FALSE(reads(21, kBase, 0));
}

TEST_F(Reference, AReadInTheCycleOfBMaySeeEither) {
  const uint64_t ending = write(10, 0, 0, kBase, 7);
  const uint64_t read = memory.readBegins(20);
  memory.writeEnds(ending, 20);
  EXPECT_TRUE(legal(read, kBase, 0));
  EXPECT_TRUE(legal(read, kBase, 7));
}

TEST_F(Reference, AReadMaySeeAWriteInFlight) {
  const uint64_t pending = write(10, 0, 0, kBase, 7);
  const uint64_t read = memory.readBegins(11);
  EXPECT_TRUE(legal(read, kBase, 0));
  EXPECT_TRUE(legal(read, kBase, 7));
  memory.writeEnds(pending, 20);
  // The read began before B: still either.
  EXPECT_TRUE(legal(read, kBase, 0));
  EXPECT_TRUE(legal(read, kBase, 7));
  EXPECT_FALSE(legal(read, kBase, 8));
}

TEST_F(Reference, OverlappingWritesOfTwoIdsEndInEitherOrder) {
  const uint64_t first = write(10, 0, 0, kBase, 1), second = write(11, 0, 1, kBase, 2);
  memory.writeEnds(first, 20);
  memory.writeEnds(second, 21);
  EXPECT_TRUE(reads(30, kBase, 1));
  EXPECT_TRUE(reads(30, kBase, 2));
  EXPECT_FALSE(reads(30, kBase, 0));
}

TEST_F(Reference, WritesOfOneIdKeepTheirOrder) {
  const uint64_t first = write(10, 0, 3, kBase, 1), second = write(11, 0, 3, kBase, 2);
  memory.writeEnds(first, 20);
  memory.writeEnds(second, 21);
  EXPECT_FALSE(reads(30, kBase, 1));
  EXPECT_TRUE(reads(30, kBase, 2));
}

TEST_F(Reference, TheSameIdOfAnotherPortIsAnother) {
  const uint64_t first = write(10, 0, 3, kBase, 1), second = write(11, 1, 3, kBase, 2);
  memory.writeEnds(first, 20);
  memory.writeEnds(second, 21);
  EXPECT_TRUE(reads(30, kBase, 1));
  EXPECT_TRUE(reads(30, kBase, 2));
}

TEST_F(Reference, ALaterWriteEndsTheDoubt) {
  const uint64_t first = write(10, 0, 0, kBase, 1), second = write(11, 0, 1, kBase, 2);
  memory.writeEnds(first, 20);
  memory.writeEnds(second, 21);
  memory.writeEnds(write(22, 1, 9, kBase, 3), 25);
  EXPECT_TRUE(reads(30, kBase, 3));
  EXPECT_FALSE(reads(30, kBase, 1));
  EXPECT_FALSE(reads(30, kBase, 2));
}

TEST_F(Reference, StrobesChooseBytes) {
  memory.writeEnds(write(10, 0, 0, kBase + 4, 5, 4, 0b0110), 20);
  EXPECT_TRUE(reads(30, kBase + 4, 0));
  EXPECT_TRUE(reads(30, kBase + 5, 5));
  EXPECT_TRUE(reads(30, kBase + 6, 5));
  EXPECT_TRUE(reads(30, kBase + 7, 0));
  EXPECT_FALSE(reads(30, kBase + 7, 5));
}

TEST_F(Reference, BeatsOfAFixedBurstShowOneAfterTheOther) {
  const uint64_t burst = memory.writeBegins(10, 0, 0);
  for (const uint8_t value : {1, 2, 3}) memory.writeBytes(burst, kBase, &value, kAll, 1);
  EXPECT_TRUE(reads(11, kBase, 2));
  memory.writeEnds(burst, 20);
  EXPECT_TRUE(reads(21, kBase, 3));
  EXPECT_FALSE(reads(21, kBase, 2));
}

TEST_F(Reference, ALongReadStillSeesWhatLaterReadsMayNot) {
  const uint64_t early = memory.readBegins(5);
  memory.writeEnds(write(10, 0, 0, kBase, 1), 20);
  memory.writeEnds(write(30, 0, 0, kBase, 2), 40);
  EXPECT_TRUE(legal(early, kBase, 0));
  EXPECT_TRUE(legal(early, kBase, 1));
  EXPECT_TRUE(legal(early, kBase, 2));
  EXPECT_FALSE(reads(41, kBase, 1));
}

TEST_F(Reference, SaysWhatWasReadAndWhatWouldBeLegal) {
  memory.writeEnds(write(10, 2, 5, kBase + 0x40, 7), 20);
  const uint64_t read = memory.readBegins(21);
  const uint8_t wrong = 9;
  const auto message = memory.check(read, kBase + 0x40, &wrong, 1);
  ASSERT_TRUE(message);
  EXPECT_NE(message->find("byte at 0x80000040"), std::string::npos) << *message;
  EXPECT_NE(message->find("is 0x09; legal: 0x07 (write of port 2 id 5, cycles 10 to 20)"), std::string::npos)
      << *message;
}

}  // namespace
}  // namespace weir::bench
