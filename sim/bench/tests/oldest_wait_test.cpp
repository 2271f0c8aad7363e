// SPDX-License-Identifier: Apache-2.0
#include "../oldest_wait.hpp"

#include <gtest/gtest.h>

namespace weir::bench {
namespace {

TEST(OldestWait, IsZeroWithoutReads) { EXPECT_EQ(OldestWait().most(), 0u); }

TEST(OldestWait, CountsFromTheHandshakeOfALoneRead) {
  OldestWait waits;
  waits.add(10, 30);
  waits.add(50, 60);
  EXPECT_EQ(waits.most(), 20u);
}

TEST(OldestWait, CountsFromTheLastDatumOfTheOlderOnes) {
  OldestWait waits;
  waits.add(10, 20);
  waits.add(11, 25);
  waits.add(12, 40);  // the oldest from 25 on
  EXPECT_EQ(waits.most(), 15u);
}

TEST(OldestWait, DoesNotCountReadsThatOvertake) {
  OldestWait waits;
  waits.add(12, 20);  // answered before the one accepted in 10
  waits.add(10, 22);
  waits.add(21, 29);  // the oldest from 22 on
  EXPECT_EQ(waits.most(), 12u);
}

TEST(OldestWait, FindsTheOneThatAllOvertake) {
  OldestWait waits;
  waits.add(5, 6);
  waits.add(6, 500);
  for (uint64_t cycle = 7; cycle < 400; ++cycle) waits.add(cycle, cycle + 10);
  EXPECT_EQ(waits.most(), 494u);
}

}  // namespace
}  // namespace weir::bench
