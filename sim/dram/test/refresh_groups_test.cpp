// SPDX-License-Identifier: Apache-2.0
// Groups of banks that refresh apart: which rules count for the group, and which for the rank as ever.
#include <stdexcept>

#include "bench.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;  // 7.8 us / 1.25 ns

Config halves() { return with(ddr3(), "refresh_groups=2"); }
Config quarters() { return with(ddr3(), "refresh_groups=4"); }

/// A refresh of the group of a bank, and a precharge of all its banks.
Step refOf(Clock clock, int bank) { return ref(clock, 1, bank); }
Step preaOf(Clock clock, int bank) { return make(Command::prechargeAll, clock, bank, kA10, 1); }

TEST(RefreshGroups, tRFCIsOfTheGroup) {
  for (const Step& last : {act(0, 7), refOf(0, 4), pre(0, 5), preaOf(0, 6)})
    expectEarliest({"tRFC"}, halves(), {refOf(100, 4)}, last, 188);
  for (const Step& last : {act(101, 3), refOf(101, 0), pre(101, 2), preaOf(101, 1)})
    EXPECT_EQ(broken(halves(), {refOf(100, 4), last}), Counts{});
  expectEarliest({"tRFC"}, quarters(), {refOf(100, 4)}, act(0, 5), 188);
  EXPECT_EQ(broken(quarters(), {refOf(100, 4), act(101, 6), act(106, 3)}), Counts{});
  // On DDR4 (350 ns) the upper bits are those of the bank group.
  expectEarliest({"tRFC"}, with(ddr4(), "refresh_groups=4"), {refOf(100, 8)}, act(0, 11), 521);
  EXPECT_EQ(broken(with(ddr4(), "refresh_groups=4"), {refOf(100, 8), act(101, 12)}), Counts{});
}

TEST(RefreshGroups, aCommandOfTheRankWaitsForAllGroups) {
  for (const Step& last : {zqcs(0), mrs(0, 3, 0)})
    expectEarliest({"tRFC"}, quarters(), {refOf(50, 0), refOf(100, 4), refOf(101, 2)}, last, 189);
}

TEST(RefreshGroups, aRowOfTheGroupMustBeClosed) {
  const Counts open{{"REFRESH_BANK_OPEN", 1}};
  EXPECT_EQ(broken(halves(), {act(10, 5), refOf(100, 4)}), open);
  EXPECT_EQ(broken(halves(), {act(10, 3), refOf(100, 4)}), Counts{});
  EXPECT_EQ(broken(quarters(), {act(10, 5), refOf(100, 4)}), open);
  EXPECT_EQ(broken(quarters(), {act(10, 6), refOf(100, 4)}), Counts{});
  expectEarliest({"tRP"}, halves(), {act(10, 5), pre(100, 5)}, refOf(0, 4), 111);
  // calibration and mode registers want the whole rank closed
  EXPECT_EQ(broken(halves(), {act(10, 3), zqcs(100)}), (Counts{{"ZQ_BANK_OPEN", 1}}));
}

TEST(RefreshGroups, aPrechargeOfAllBanksIsOfTheGroup) {
  EXPECT_EQ(broken(halves(), {act(10, 1), act(20, 5), preaOf(60, 4), rd(70, 1), act(71, 4)}), Counts{});
  EXPECT_EQ(broken(halves(), {act(10, 1), act(20, 5), preaOf(60, 4), rd(70, 5)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(10, 1), act(20, 5), preaOf(60, 4), rd(70, 1)}), (Counts{{"BANK_CLOSED", 1}}));
}

TEST(RefreshGroups, timingsAreThoseOfOneRank) {
  // tFAW 24, tRRD 5, tCCD 4, tWTR 6 after CWL 8 and the burst, and no gap between bursts of two groups
  expectEarliest({"tFAW"}, quarters(), {act(10, 0), act(15, 2), act(20, 4), act(25, 6)}, act(0, 1), 34);
  expectEarliest({"tRRD_S"}, quarters(), {act(10, 0)}, act(0, 2), 15);
  const std::vector<Step> open{act(10, 0), act(15, 4)};
  const auto after = [&](const Step& first) {
    std::vector<Step> steps = open;
    steps.push_back(first);
    return steps;
  };
  expectEarliest({"tCCD_S"}, quarters(), after(rd(50, 0)), rd(0, 4), 54);
  expectEarliest({"tWTR_S"}, quarters(), after(wr(50, 0)), rd(0, 4), 68);
}

TEST(RefreshGroups, thePaceIsOfEachGroup) {
  EXPECT_EQ(broken(halves(), {refOf(9 * kRefi - 1, 0), refOf(9 * kRefi, 4)}), Counts{});
  EXPECT_EQ(broken(halves(), {refOf(9 * kRefi, 0), refOf(9 * kRefi + 1, 4)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(halves(), {refOf(100, 4)}, 9 * kRefi + 101), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(quarters(), {}, 100 * kRefi), (Counts{{"tREFI", 4}}));
  // nine intervals are owed to one group, however often the other is refreshed
  std::vector<Step> steps{refOf(9 * kRefi, 0)};
  for (Clock i = 1; i <= 10; ++i) steps.push_back(refOf(i * kRefi - 200, 4));
  steps.push_back(refOf(62500, 0));
  EXPECT_EQ(broken(halves(), steps), Counts{});
  steps.back().clock = 62501;
  EXPECT_EQ(broken(halves(), steps), (Counts{{"REFRESH_POSTPONED", 1}}));
  // sixteen in two intervals, of each
  std::vector<Step> burst;
  for (int i = 0; i < 16; ++i) {
    burst.push_back(refOf(100 + 88 * i, 0));
    burst.push_back(refOf(101 + 88 * i, 4));
  }
  expectEarliest({"REFRESH_PULLED_IN"}, halves(), burst, refOf(0, 0), 100 + 2 * kRefi);
}

TEST(RefreshGroups, aLateGroupIsNamed) {
  Bench bench(quarters());
  bench.run({refOf(100, 0), refOf(101, 2), refOf(102, 6)}, 9 * kRefi + 50);
  ASSERT_EQ(bench.dram.violations().total(), 1u);
  EXPECT_EQ(bench.dram.violations().kept()[0].issued.bank, 4);
}

TEST(RefreshGroups, fineRefreshesAreMarkedByTheLowestBit) {
  const Config c = with(ddr3(), "refresh_groups=4,fine_refresh=2,on_the_fly,optimistic_trfc");
  expectEarliest({"tRFC"}, c, {refOf(100, 5)}, act(0, 4), 144);
  expectEarliest({"tRFC"}, c, {refOf(100, 4)}, act(0, 4), 188);
  // of two groups that make up their wholes apart
  EXPECT_EQ(broken(c, {refOf(100, 5), refOf(101, 3), refOf(200, 5), refOf(201, 3), refOf(300, 4)}), Counts{});
  EXPECT_EQ(broken(c, {refOf(100, 5), refOf(101, 3), refOf(300, 4)}), (Counts{{"REFRESH_GROUP", 1}}));
  // on DDR4 BG0 is a bit of the group's number
  const Config d = with(ddr4(), "refresh_groups=4,fine_refresh=2,on_the_fly");
  expectEarliest({"tRFC"}, d, {refOf(100, 4)}, act(0, 4), 521);
  expectEarliest({"tRFC"}, d, {refOf(100, 5)}, act(0, 4), 413);
}

TEST(RefreshGroups, rowsOfAnotherGroupLoseTheirData) {
  // All refreshes are of the second half; a row of the first is not restored by them.
  constexpr Clock kLimit = 51'200'000 + 16 * 6250;
  Bench bench(with(fast(), "refresh_groups=2"));
  std::vector<Step> steps{act(0, 0, 7), wr(20), pre(60), act(80, 4, 7), wr(100, 4), pre(140, 4)};
  for (Clock clock = kRefi; clock < kLimit + 1000; clock += kRefi) steps.push_back(refOf(clock, 4));
  steps.push_back(act(kLimit + 2000, 4, 7));
  steps.push_back(act(kLimit + 2008, 0, 7));
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().count(Rule::retention), 1u);
  ASSERT_FALSE(bench.dram.violations().kept().empty());
  EXPECT_EQ(bench.dram.violations().kept().back().issued.bank, 0);
}

TEST(RefreshGroups, eachCountsAsARank) {
  Bench bench(halves());
  bench.run({act(10, 1), act(20, 5), rd(40, 5), preaOf(60, 4), refOf(80, 4), zqcs(400)}, 500);
  const auto& ranks = bench.dram.statistics().ranks;
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].activates(), 1u);
  EXPECT_EQ(ranks[1].activates(), 1u);
  EXPECT_EQ(ranks[1].reads(), 1u);
  EXPECT_EQ(ranks[0].prechargesOfAll(), 0u);
  EXPECT_EQ(ranks[1].prechargesOfAll(), 1u);
  EXPECT_EQ(ranks[1].wholeRefreshes(), 1u);
  EXPECT_EQ(ranks[0].of(Command::zqShort), 1u);
  EXPECT_EQ(ranks[1].in(RankState::activeStandby), 40u);
  EXPECT_EQ(ranks[1].in(RankState::refreshing), 88u);
  EXPECT_EQ(ranks[0].in(RankState::activeStandby), 490u);
}

TEST(RefreshGroups, whatCannotBeIsRefused) {
  const auto refusal = [](const Config& config, const std::string& features) -> std::string {
    try {
      Dram dram(with(config, features));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  Config four = ddr3();
  four.bankBits = 2;
  EXPECT_EQ(refusal(four, "refresh_groups=2"), "accepted");
  EXPECT_EQ(refusal(four, "refresh_groups=4"),
            "DRAM model 'dram': FEATURES: refresh_groups = 4: must be at most 2, so that each has two of the 4 banks");
  EXPECT_EQ(refusal(ddr3(), "refresh_groups=3"), "DRAM model 'dram': FEATURES: refresh_groups = 3: must be 2 or 4");
  EXPECT_EQ(refusal(ddr3(), "refresh_groups=1"), "test: refresh_groups = 1: must be 2 or 4");
  Dram dram(halves());
  EXPECT_THROW(dram.choose(Features::parse("refresh_groups=4", "test")), std::invalid_argument);
  EXPECT_THROW(dram.choose(Features::parse("", "test")), std::invalid_argument);
  EXPECT_NO_THROW(dram.choose(Features::parse("refresh_groups=2,extended_temperature", "test")));
}

}  // namespace
}  // namespace weir::dram::test
