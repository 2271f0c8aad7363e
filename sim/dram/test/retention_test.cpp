// SPDX-License-Identifier: Apache-2.0
// Rows keep their data as long as they are refreshed, and no longer.
#include "bench.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;
constexpr Clock kWindow = 51'200'000;          // 64 ms
constexpr Clock kLimit = kWindow + 16 * 6250;  // eight refreshes pulled in before, eight postponed after

/// Writes a line to row `row` of bank 0 by clock 60 and closes the bank.
std::vector<Step> writeRow(std::uint32_t row, const Line& line) {
  Step write = wr(20);
  write.line = line;
  return {act(0, 0, row), write, pre(60)};
}

TEST(Retention, refreshedRowsKeepTheirData) {
  // 8192 refreshes in 64 ms walk over all rows; after two windows the data is there.
  Bench bench(fast());
  const Line line = lineOf(1);
  auto steps = writeRow(12345, line);
  const Clock end = 2 * kWindow;
  for (Clock clock = kRefi; clock < end; clock += kRefi) steps.push_back(ref(clock));
  steps.push_back(act(end + 200, 0, 12345));
  steps.push_back(rd(end + 221));
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.at(end + 221), line);
}

TEST(Retention, unrefreshedRowsLoseTheirData) {
  for (const bool late : {false, true}) {
    Bench bench(fast());
    const Line line = lineOf(2);
    // The activate at clock 200 is the last that restores the row.
    const Clock again = 200 + kLimit + (late ? 4 : 0);
    auto steps = writeRow(7, line);
    steps.insert(steps.end(), {act(200, 0, 7), pre(240)});
    steps.push_back(act(again, 0, 7));
    steps.push_back(rd(again + 21));
    bench.run(steps);
    EXPECT_EQ(bench.dram.violations().count(Rule::retention), late ? 1u : 0u);
    EXPECT_EQ(bench.dram.violations().count(Rule::tREFI), 1u);
    EXPECT_EQ(bench.at(again + 21) == line, !late);
  }
}

TEST(Retention, activateRestoresItsRowAlone) {
  Bench bench(fast());
  const Line line = lineOf(3);
  Step other = wr(100);
  other.line = lineOf(4);
  auto steps = writeRow(7, line);
  steps.insert(steps.end(), {act(80, 0, 8), other, pre(140)});
  const Clock half = kLimit / 2;
  steps.insert(steps.end(), {act(half, 0, 7), pre(half + 40)});
  const Clock end = kLimit + 400;
  steps.insert(steps.end(), {act(end, 0, 7), rd(end + 21), pre(end + 60), act(end + 80, 0, 8), rd(end + 101)});
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 1u);
  EXPECT_EQ(bench.at(end + 21), line);
  EXPECT_NE(bench.at(end + 101), other.line);
}

TEST(Retention, refreshDoesNotBringBackWhatIsLost) {
  // All rows are refreshed, but only after their time: rows 0 and 1 share the first refresh.
  Bench bench(fast());
  auto steps = writeRow(1, lineOf(5));
  steps.push_back(ref(kLimit + 100));
  const Clock end = kLimit + 1000;
  steps.push_back(act(end, 0, 1));
  steps.push_back(rd(end + 21));
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 1u);
  EXPECT_NE(bench.at(end + 21), lineOf(5));
}

TEST(Retention, refreshWalksTheRows) {
  // Half of the 8192 refreshes cover the lower half of the rows; the upper half then loses its data.
  Bench bench(fast());
  Step high = wr(120, 1);
  high.line = lineOf(7);
  auto steps = writeRow(0x1fff, lineOf(6));
  steps.insert(steps.end(), {act(100, 1, 0x2000), high, pre(160, 1)});
  Clock clock = kRefi;
  for (int i = 0; i < 4096; ++i, clock += kRefi) steps.push_back(ref(clock));
  const Clock end = kLimit + 400;
  steps.insert(steps.end(), {act(end, 0, 0x1fff), rd(end + 21), act(end + 80, 1, 0x2000), rd(end + 101, 1)});
  bench.run(steps);
  EXPECT_EQ(bench.at(end + 21), lineOf(6));
  EXPECT_NE(bench.at(end + 101), lineOf(7));
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 1u);
}

TEST(Retention, fewRowsAreWalkedToo) {
  // 256 rows, fewer than there are refreshes in a window: each refresh restores one. The last row is the 256th.
  Config c = fast();
  c.rowBits = 8;
  for (const int refreshes : {255, 256}) {
    Bench bench(c);
    auto steps = writeRow(255, lineOf(10));
    Clock clock = kRefi;
    for (int i = 0; i < refreshes; ++i, clock += kRefi) steps.push_back(ref(clock));
    const Clock end = kLimit + 400;
    steps.insert(steps.end(), {act(end, 0, 255), rd(end + 21)});
    bench.run(steps);
    EXPECT_EQ(bench.at(end + 21) == lineOf(10), refreshes == 256);
  }
}

TEST(Retention, preloadedRowsLastFromTheStart) {
  Bench bench(fast());
  const Line line = lineOf(8);
  bench.dram.preload(0, line.data(), line.size());
  const Clock end = kLimit + 400;
  bench.run({act(end), rd(end + 21)});
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 1u);
  EXPECT_NE(bench.at(end + 21), line);
}

TEST(Retention, preloadRestoresItsRow) {
  Bench bench(fast());
  const Line line = lineOf(11);
  bench.dram.preload(0, line.data(), line.size());
  bench.run({}, kLimit / 2);
  bench.dram.preload(0, line.data(), line.size());
  const Clock end = kLimit + 400;
  bench.run({act(end), rd(end + 21)});
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 0u);
  EXPECT_EQ(bench.at(end + 21), line);
}

TEST(Retention, nothingIsLostBeforeInitialisation) {
  // An image preloaded before power-up is there after an initialisation of any length.
  Config c = fast();
  c.initialised = false;
  Bench bench(c);
  const Line line = lineOf(9);
  bench.dram.preload(0, line.data(), line.size());
  const Clock start = kLimit + 1000;
  bench.run({pins(100, true, false), pins(start, true, true), mrs(start + 96, 2, 0x18), mrs(start + 100, 3, 0),
             mrs(start + 104, 1, 6), mrs(start + 108, 0, 0x170), zqcl(start + 120), act(start + 640), rd(start + 661)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.at(start + 661), line);
}

TEST(Retention, unwrittenRowsHaveNothingToLose) {
  Bench bench(fast());
  const Clock end = kLimit + 400;
  bench.run({act(end), rd(end + 21)});
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 0u);
}

}  // namespace
}  // namespace weir::dram::test
