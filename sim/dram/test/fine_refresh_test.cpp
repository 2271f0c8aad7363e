// SPDX-License-Identifier: Apache-2.0
// Fine granularity refresh: what a command counts and takes, fixed and on the fly, by feature and by mode register 3;
// refresh pausing. Clock numbers are worked out by hand from the standard's and the paper's tables.
#include "fine_refresh.hpp"

#include "bench.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;  // 7.8 us / 1.25 ns
constexpr int kBg0 = 4;        // above two bits of bank address

/// The paper's chips at extended temperature: tREFI 3120 clocks, tREFI2 1560, tREFI4 780.
Config paper(const std::string& capacity, const std::string& features) {
  Config c = ddr4();
  c.part = "TableII-" + capacity;
  c.clockPs = 1250;
  return with(c, features);
}

/// DDR3 cannot do it; the model can, with segments of 27.5 ns (22 clocks) or 55 ns (44).
Config segments(int factor, const std::string& more = "") {
  return with(ddr3(), "fine_refresh=" + std::to_string(factor) + ",optimistic_trfc" + more);
}

/// `count` refreshes, each as soon as the last has ended.
std::vector<Step> refreshes(int count, Clock from, Clock every, int bank = 0) {
  std::vector<Step> steps;
  for (int i = 0; i < count; ++i) steps.push_back(ref(from + every * i, 1, bank));
  return steps;
}

std::vector<Step> operator+(std::vector<Step> a, const std::vector<Step>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(FineRefresh, tRFCOfThePart) {
  // JESD79-4B, 8 Gb: 350, 260, 160 ns of 0.833 ns.
  expectEarliest({"tRFC"}, ddr4(), {ref(100)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, with(ddr4(), "fine_refresh=2"), {ref(100)}, act(0), 100 + 313);
  expectEarliest({"tRFC"}, with(ddr4(), "fine_refresh=4"), {ref(100)}, act(0), 100 + 193);
  Config small = ddr4();
  small.part = "MT40A512M8-083E";
  small.rowBits = 15;
  // 4 Gb: 160 and 110 ns.
  expectEarliest({"tRFC"}, with(small, "fine_refresh=2"), {ref(100)}, act(0), 100 + 193);
  expectEarliest({"tRFC"}, with(small, "fine_refresh=4"), {ref(100)}, ref(0), 100 + 133);
}

TEST(FineRefresh, tRFCOfThePaper) {
  // Table I: 8 Gb 350, 240, 160 ns; 16 Gb 480, 350, 240; 32 Gb 640, 480, 350.
  const std::map<std::string, std::array<Clock, 3>> table = {
      {"8Gb", {280, 192, 128}}, {"16Gb", {384, 280, 192}}, {"32Gb", {512, 384, 280}}};
  for (const auto& [capacity, clocks] : table) {
    expectEarliest({"tRFC"}, paper(capacity, ""), {ref(100)}, act(0), 100 + clocks[0]);
    expectEarliest({"tRFC"}, paper(capacity, "fine_refresh=2"), {ref(100)}, act(0), 100 + clocks[1]);
    expectEarliest({"tRFC"}, paper(capacity, "fine_refresh=4"), {ref(100)}, act(0), 100 + clocks[2]);
  }
}

TEST(FineRefresh, tRFCOfTheOptimist) {
  expectEarliest({"tRFC"}, paper("32Gb", "fine_refresh=2,optimistic_trfc"), {ref(100)}, act(0), 100 + 256);
  expectEarliest({"tRFC"}, paper("32Gb", "fine_refresh=4,optimistic_trfc"), {ref(100)}, act(0), 100 + 128);
  expectEarliest({"tRFC"}, segments(2), {ref(100)}, act(0), 100 + 44);
  expectEarliest({"tRFC"}, segments(4), {ref(100)}, act(0), 100 + 22);
  // 87.5 ns of 0.833 ns.
  expectEarliest({"tRFC"}, with(ddr4(), "fine_refresh=4,optimistic_trfc"), {ref(100)}, act(0), 100 + 106);
}

TEST(FineRefresh, onTheFlyTheCommandTells) {
  const Config c = with(ddr4(), "fine_refresh=4,on_the_fly");
  expectEarliest({"tRFC"}, c, {ref(100)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, c, {ref(100, 1, ~kBg0 & 15)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, c, {ref(100, 1, kBg0)}, act(0), 100 + 193);
  Config x16 = ddr4();
  x16.part = "MT40A512M16-083E";
  x16.bankBits = 3;
  expectEarliest({"tRFC"}, with(x16, "fine_refresh=2,on_the_fly"), {ref(100, 1, kBg0)}, act(0), 100 + 313);
  // BA0 on DDR3.
  expectEarliest({"tRFC"}, segments(2, ",on_the_fly"), {ref(100)}, act(0), 100 + 88);
  expectEarliest({"tRFC"}, segments(2, ",on_the_fly"), {ref(100, 1, 6)}, act(0), 100 + 88);
  expectEarliest({"tRFC"}, segments(2, ",on_the_fly"), {ref(100, 1, 1)}, act(0), 100 + 44);
}

TEST(FineRefresh, offTheBankPinsTellNothing) {
  expectEarliest({"tRFC"}, ddr4(), {ref(100, 1, 15)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, ddr3(), {ref(100, 1, 7)}, act(0), 100 + 88);
}

TEST(FineRefresh, longestGap) {
  // 17 tREFI2 and 33 tREFI4.
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=2"), {ref(17 * 1560)}), Counts{});
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=2"), {ref(17 * 1560 + 1)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=4"), {ref(33 * 780)}), Counts{});
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=4"), {ref(33 * 780 + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(FineRefresh, longestGapOnTheFlyIsThatOfTheLast) {
  const Config c = segments(4, ",on_the_fly");
  EXPECT_EQ(broken(c, {ref(9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(c, {ref(100), ref(100 + 9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(c, {ref(100), ref(101 + 9 * kRefi)}), (Counts{{"tREFI", 1}}));
  const auto fine = refreshes(4, 100, 22, 1);
  const Clock last = 100 + 3 * 22;
  EXPECT_EQ(broken(c, fine + std::vector<Step>{ref(last + 33 * kRefi / 4)}), Counts{});
  EXPECT_EQ(broken(c, fine + std::vector<Step>{ref(last + 33 * kRefi / 4 + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(FineRefresh, eightIntervalsMayBePostponed) {
  // One quarter of 781.25 clocks is paid: 33 more may fall due.
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=4"), {ref(33 * 780), ref(26562)}), Counts{});
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=4"), {ref(33 * 780), ref(26563)}), (Counts{{"REFRESH_POSTPONED", 1}}));
  // One half of 1562.5 is paid: 17 more.
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=2"), {ref(17 * 1560), ref(28125)}), Counts{});
  EXPECT_EQ(broken(paper("8Gb", "fine_refresh=2"), {ref(17 * 1560), ref(28126)}), (Counts{{"REFRESH_POSTPONED", 1}}));
}

TEST(FineRefresh, fewerThanTheGranularityAreMissed) {
  // A fine refresh each tREFI pays a part of it only. The i-th comes in time while i * 6240 is not above what i - 1
  // have paid and 17 halves (33 quarters) of 6250.
  for (const auto& [factor, legal] : std::map<int, int>{{1, 200}, {2, 16}, {4, 10}}) {
    const Config c = factor == 1 ? ddr3() : segments(factor);
    std::vector<Step> steps;
    for (int i = 1; i <= legal; ++i) steps.push_back(ref(i * kRefi));
    EXPECT_EQ(broken(c, steps), Counts{}) << factor;
    if (factor == 1) continue;
    steps.push_back(ref((legal + 1) * kRefi));
    EXPECT_EQ(broken(c, steps), (Counts{{"REFRESH_POSTPONED", 1}})) << factor;
  }
}

TEST(FineRefresh, sixteenWholeOnesInTwoIntervals) {
  expectEarliest({"REFRESH_PULLED_IN"}, segments(2), refreshes(32, 100, 44), ref(0), 100 + 2 * kRefi);
  expectEarliest({"REFRESH_PULLED_IN"}, segments(4), refreshes(64, 100, 22), ref(0), 100 + 2 * kRefi);
}

TEST(FineRefresh, sixteenWholeOnesInTwoIntervalsOnTheFly) {
  const Config c = segments(4, ",on_the_fly");
  // Four quarters and fifteen whole ones. A fifth quarter is one too many as long as the first counts, another whole
  // one as long as the fourth does.
  const auto full = refreshes(4, 100, 22, 1) + refreshes(15, 188, 88);
  expectEarliest({"REFRESH_PULLED_IN"}, c, full, ref(0, 1, 1), 100 + 2 * kRefi);
  expectEarliest({"REFRESH_PULLED_IN"}, c, full, ref(0), 166 + 2 * kRefi);
}

TEST(FineRefresh, onlyEightIntervalsCountInAdvance) {
  // 48 at once, worth twelve intervals, pay for eight (of 6250 clocks) from the last on; two more pay for two quarters.
  const Clock burst = 47 * 22;
  const Clock gap = 33 * kRefi / 4;
  auto steps = refreshes(48, 0, 22) + std::vector<Step>{ref(burst + gap), ref(burst + 2 * gap)};
  const Clock owed = burst + (32 + 2 + 33) * 6250 / 4;
  EXPECT_EQ(broken(segments(4), steps + std::vector<Step>{ref(owed)}), Counts{});
  EXPECT_EQ(broken(segments(4), steps + std::vector<Step>{ref(owed + 1)}), (Counts{{"REFRESH_POSTPONED", 1}}));
}

TEST(FineRefresh, groupsAreCompleted) {
  const Config two = segments(2, ",on_the_fly");
  const Config four = segments(4, ",on_the_fly");
  for (int fine = 0; fine <= 8; ++fine) {
    const auto steps = refreshes(fine, 100, 44, 1) + std::vector<Step>{ref(1000), ref(1100)};
    EXPECT_EQ(broken(two, steps), fine % 2 == 0 ? Counts{} : (Counts{{"REFRESH_GROUP", 1}})) << fine;
    EXPECT_EQ(broken(four, steps), fine % 4 == 0 ? Counts{} : (Counts{{"REFRESH_GROUP", 1}})) << fine;
  }
  // All are fine in a fixed mode: there is nothing to complete.
  EXPECT_EQ(broken(segments(4), refreshes(3, 100, 22)), Counts{});
}

TEST(FineRefresh, modeRegister3) {
  // A8:A6: fixed 2x, fixed 4x, 2x and 4x on the fly (JESD79-4B table 11).
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 1 << 6), ref(100)}, act(0), 100 + 313);
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 2 << 6), ref(100)}, act(0), 100 + 193);
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 5 << 6), ref(100)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 5 << 6), ref(100, 1, kBg0)}, act(0), 100 + 313);
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 6 << 6), ref(100)}, act(0), 100 + 421);
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 3, 6 << 6), ref(100, 1, kBg0)}, act(0), 100 + 193);
  for (const std::uint32_t reserved : {3u, 4u, 7u})
    EXPECT_EQ(broken(ddr4(), {mrs(10, 3, reserved << 6)}), (Counts{{"MODE_FINE_REFRESH", 1}})) << reserved;
  // It overrules the feature, which is no more than its value at the start.
  expectEarliest({"tRFC"}, with(ddr4(), "fine_refresh=4"), {mrs(10, 3, 0), ref(100)}, act(0), 100 + 421);
  // DDR3 has no such mode: the bits mean nothing there.
  expectEarliest({"tRFC"}, ddr3(), {mrs(10, 3, 3 << 6), ref(100)}, act(0), 188);
  // Other mode registers choose nothing.
  expectEarliest({"tRFC"}, ddr4(), {mrs(10, 6, 2 << 6), ref(100)}, act(0), 100 + 421);
}

TEST(FineRefresh, modeRegister3CountsAsItTells) {
  // 33 tREFI4 of 1950 ns, from the first fine refresh on.
  const std::vector<Step> steps = {mrs(10, 3, 2 << 6), ref(100)};
  const Clock gap = 33 * 1950000 / 833;
  EXPECT_EQ(broken(ddr4(), steps + std::vector<Step>{ref(100 + gap)}), Counts{});
  EXPECT_EQ(broken(ddr4(), steps + std::vector<Step>{ref(101 + gap)}), (Counts{{"tREFI", 1}}));
}

TEST(FineRefresh, granularityChangesBetweenGroups) {
  const Config c = with(ddr4(), "fine_refresh=4");
  for (int fine = 0; fine <= 4; ++fine) {
    const auto steps = refreshes(fine, 100, 193);
    const Counts cut = fine % 4 == 0 ? Counts{} : (Counts{{"REFRESH_GROUP", 1}});
    EXPECT_EQ(broken(c, steps + std::vector<Step>{mrs(2000, 3, 0)}), cut) << fine;
    EXPECT_EQ(broken(c, steps + std::vector<Step>{mrs(2000, 3, 5 << 6)}), cut) << fine;
    // The same granularity on the fly is no change: the group goes on.
    EXPECT_EQ(broken(c, steps + std::vector<Step>{mrs(2000, 3, 6 << 6)}), Counts{}) << fine;
    EXPECT_EQ(broken(c, steps + std::vector<Step>{mrs(2000, 3, 6 << 6), ref(3000)}), cut) << fine;
  }
}

TEST(FineRefresh, resetForgetsAGroup) {
  // A fine refresh, a reset, and the initialisation of DDR4 with mode register 3 at 0: whole refreshes, none of a
  // group.
  const std::vector<Step> steps = {mrs(10, 3, 2 << 6),
                                   ref(40),
                                   pins(300, false, false),
                                   pins(400, true, false),
                                   pins(500, true, true),
                                   mrs(1000, 3, 0),
                                   mrs(1008, 6, 0),
                                   mrs(1016, 5, 0x400),
                                   mrs(1024, 4, 0),
                                   mrs(1032, 2, 0x18),
                                   mrs(1040, 1, 0x101),
                                   mrs(1048, 0, 0x934),
                                   zqcl(1072),
                                   ref(1072 + 1024)};
  expectEarliest({"tRFC"}, ddr4(), steps, act(0), 1072 + 1024 + 421);
}

/// Whether row `row` of bank 0 still has its data after so many refreshes at the pace of their granularity, and a pause
/// that no row outlives without one.
bool keeps(const Config& c, std::uint32_t row, int count, Clock every) {
  constexpr Clock kLimit = 51'200'000 + 16 * 6250;
  Bench bench(c);
  Step write = wr(20);
  write.line = lineOf(6);
  auto steps = std::vector<Step>{act(0, 0, row), write, pre(60)} + refreshes(count, every, every);
  const Clock end = kLimit + 400;
  bench.run(steps + std::vector<Step>{act(end, 0, row), rd(end + 21)});
  return bench.at(end + 21) == lineOf(6);
}

TEST(FineRefresh, restoresAPartOfTheRows) {
  const std::uint32_t half = (1u << 14) / 2 - 1;
  EXPECT_TRUE(keeps(fast(), half, 4096, 6240));
  EXPECT_FALSE(keeps(fast(), half, 4095, 6240));
  EXPECT_TRUE(keeps(fast(segments(2)), half, 8192, 3120));
  EXPECT_FALSE(keeps(fast(segments(2)), half, 8191, 3120));
  EXPECT_TRUE(keeps(fast(segments(4)), half, 16384, 1560));
  EXPECT_FALSE(keeps(fast(segments(4)), half, 16383, 1560));
  // The first half of the rows that a whole refresh restores is done by its first half.
  EXPECT_TRUE(keeps(fast(segments(4)), 0, 2, 1560));
  EXPECT_FALSE(keeps(fast(segments(4)), 0, 1, 1560));
}

TEST(FineRefresh, restoresFewRowsTogether) {
  // 256 rows: a whole refresh restores one.
  Config c = fast(segments(4));
  c.rowBits = 8;
  EXPECT_TRUE(keeps(c, 255, 1024, 1560));
  EXPECT_FALSE(keeps(c, 255, 1023, 1560));
}

TEST(FineRefresh, steadyPaceKeepsTheData) {
  Bench bench(fast(segments(4)));
  const Line line = lineOf(1);
  Step write = wr(20);
  write.line = line;
  const Clock end = 2 * 51'200'000;
  auto steps = std::vector<Step>{act(0, 0, 12345), write, pre(60)};
  for (Clock clock = 1560; clock < end; clock += 1560) steps.push_back(ref(clock));
  bench.run(steps + std::vector<Step>{act(end + 200, 0, 12345), rd(end + 221)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.at(end + 221), line);
}

TEST(RefreshPausing, pausesBetweenSegments) {
  // A whole refresh in four segments of 22 clocks, with reads of two rows after the first and the third.
  const std::vector<Step> paused = {ref(100, 1, 1), act(122, 3, 5), rd(133, 3),     rd(137, 3, 8),
                                    pre(150, 3),    ref(161, 1, 1), ref(183, 1, 1), act(205),
                                    rd(216),        pre(233),       ref(244, 1, 1), ref(266)};
  EXPECT_EQ(broken(segments(4, ",on_the_fly"), paused), Counts{});
  std::vector<Step> fixed = paused;
  for (Step& step : fixed) step.bank = step.command == Command::refresh ? 0 : step.bank;
  EXPECT_EQ(broken(segments(4), fixed), Counts{});
}

TEST(RefreshPausing, noCommandStandsWithinASegment) {
  const Config c = segments(4, ",on_the_fly");
  expectEarliest({"tRFC"}, c, {ref(100, 1, 1)}, act(0), 122);
  EXPECT_EQ(broken(c, {ref(100, 1, 1), rd(110)}), (Counts{{"tRFC", 1}, {"BANK_CLOSED", 1}}));
  expectEarliest({"tRFC"}, c, {ref(100, 1, 1), act(122), pre(150), ref(161, 1, 1)}, act(0), 183);
  // The other rank's reads do not wait.
  Config two = c;
  two.ranks = 2;
  EXPECT_EQ(broken(two, {act(80, 0, 0, 2), ref(100, 1, 1), rd(101, 0, 0, 2)}), Counts{});
}

TEST(RefreshPausing, aRefreshThatWasBegunIsEnded) {
  EXPECT_EQ(broken(segments(4, ",on_the_fly"), {ref(100, 1, 1), act(122), pre(150), ref(161)}),
            (Counts{{"REFRESH_GROUP", 1}}));
}

}  // namespace
}  // namespace weir::dram::test
