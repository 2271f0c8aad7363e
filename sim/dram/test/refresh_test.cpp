// SPDX-License-Identifier: Apache-2.0
// Refresh commands, their pace, ZQ calibration, mode register spacing.
#include "bench.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;  // 7.8 us / 1.25 ns

TEST(Refresh, tRFC) {
  // 110 ns; every command but NOP has to wait.
  for (const Step& last : {act(0), ref(0), pre(0), prea(0), zqcs(0), mrs(0, 3, 0)})
    expectEarliest({"tRFC"}, ddr3(), {ref(100)}, last, 188);
  EXPECT_EQ(broken(ddr3(2), {ref(100, 1), act(101, 0, 0, 2)}), Counts{});
}

TEST(Refresh, tREFI) {
  EXPECT_EQ(broken(ddr3(), {ref(9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(ddr3(), {ref(9 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(ddr3(), {ref(10), ref(10 + 9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(ddr3(), {ref(10), ref(11 + 9 * kRefi)}), (Counts{{"tREFI", 1}}));
}

TEST(Refresh, tREFIWithinACycle) {
  // The limit, clock 56160, is the first phase of a cycle, the late refresh the second.
  Config c = ddr3();
  c.phases = 4;
  c.readLatency = 9;
  c.writeLatency = 1;
  EXPECT_EQ(broken(c, {ref(9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(Refresh, everyLateRefreshIsReported) {
  // Late, ten in a row to pay all debts, late again.
  std::vector<Step> steps;
  for (int i = 0; i < 10; ++i) steps.push_back(ref(10 * kRefi + 88 * i));
  steps.push_back(ref(20 * kRefi));
  EXPECT_EQ(broken(ddr3(), steps), (Counts{{"tREFI", 2}}));
}

TEST(Refresh, absenceAfterALateRefreshIsReported) {
  EXPECT_EQ(broken(ddr3(), {ref(10 * kRefi)}, 25 * kRefi), (Counts{{"tREFI", 1}, {"REFRESH_POSTPONED", 1}}));
}

TEST(Refresh, absenceIsReportedOnceForEachRank) {
  EXPECT_EQ(broken(ddr3(2), {ref(100, 1)}, 9 * kRefi + 101), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(ddr3(2), {}, 100 * kRefi), (Counts{{"tREFI", 2}}));
}

TEST(Refresh, eightMayBePostponed) {
  // Nine intervals pass, one refresh is paid: the next is owed when the tenth interval of 7812.5 ns ends.
  EXPECT_EQ(broken(ddr3(), {ref(9 * kRefi), ref(62500)}), Counts{});
  EXPECT_EQ(broken(ddr3(), {ref(9 * kRefi), ref(62501)}), (Counts{{"REFRESH_POSTPONED", 1}}));
  // Nine in a row pay for all nine intervals: nine more may pass.
  std::vector<Step> burst;
  for (int i = 0; i < 9; ++i) burst.push_back(ref(9 * kRefi + 88 * i));
  burst.push_back(ref(18 * 6250));
  EXPECT_EQ(broken(ddr3(), burst), Counts{});
  burst.back() = ref(18 * 6250 + 1);
  EXPECT_EQ(broken(ddr3(), burst), (Counts{{"REFRESH_POSTPONED", 1}}));
}

TEST(Refresh, sixteenInTwoIntervals) {
  std::vector<Step> burst;
  for (int i = 0; i < 16; ++i) burst.push_back(ref(100 + 88 * i));
  expectEarliest({"REFRESH_PULLED_IN"}, ddr3(), burst, ref(0), 100 + 2 * kRefi);
}

TEST(Refresh, onlyEightCountInAdvance) {
  // Twelve at once pay for eight intervals ahead (of 7812.5 ns, 6250 clocks); two more refreshes pay for ten. Nine
  // more may end unpaid.
  std::vector<Step> steps;
  for (int i = 0; i < 12; ++i) steps.push_back(ref(88 * i));
  const Clock burst = 88 * 11;
  steps.push_back(ref(burst + 9 * kRefi));
  steps.push_back(ref(burst + 18 * kRefi));
  steps.push_back(ref(burst + 19 * 6250));
  EXPECT_EQ(broken(ddr3(), steps), Counts{});
  steps.back() = ref(burst + 19 * 6250 + 1);
  EXPECT_EQ(broken(ddr3(), steps), (Counts{{"REFRESH_POSTPONED", 1}}));
}

TEST(Refresh, steadyPaceIsLegal) {
  std::vector<Step> steps;
  for (Clock i = 1; i <= 500; ++i) steps.push_back(ref(i * kRefi, i % 2 == 0 ? 1 : 2));
  for (Clock i = 1; i <= 500; ++i) steps.push_back(ref(i * kRefi + 200, i % 2 == 0 ? 2 : 1));
  EXPECT_EQ(broken(ddr3(2), steps), Counts{});
}

TEST(Refresh, extendedTemperatureHalvesTheInterval) {
  Config c = ddr4();
  c.part = "TableII-8Gb";
  c.clockPs = 1250;
  EXPECT_EQ(broken(c, {ref(9 * 3120)}), Counts{});
  EXPECT_EQ(broken(c, {ref(9 * 3120 + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(Refresh, tZQ) {
  expectEarliest({"tZQ"}, ddr3(), {zqcs(10)}, act(0), 74);
  expectEarliest({"tZQ"}, ddr3(), {zqcs(10)}, ref(0), 74);
  expectEarliest({"tZQ"}, ddr3(), {zqcl(10)}, act(0), 266);
  expectEarliest({"tZQ"}, ddr4(), {zqcs(10)}, act(0), 138);
  EXPECT_EQ(broken(ddr3(2), {zqcs(10, 1), act(11, 0, 0, 2)}), Counts{});
}

TEST(Refresh, tMRD) {
  expectEarliest({"tMRD"}, ddr3(), {mrs(10, 3, 0)}, mrs(0, 2, 0x18), 14);
  expectEarliest({"tMRD"}, ddr4(), {mrs(10, 3, 0)}, mrs(0, 6, 0), 18);
}

TEST(Refresh, tMOD) {
  expectEarliest({"tMOD"}, ddr3(), {mrs(10, 3, 0)}, act(0), 22);
  expectEarliest({"tMOD"}, ddr4(), {mrs(10, 3, 0)}, ref(0), 34);
}

}  // namespace
}  // namespace weir::dram::test
