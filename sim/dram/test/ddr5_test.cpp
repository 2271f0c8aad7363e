// SPDX-License-Identifier: Apache-2.0
// DDR5: bursts of sixteen, commands of two clocks, and refreshes of one bank of each bank group beside those of the
// rank. Clock numbers are worked out by hand from the tables of JESD79-5 for a clock of 0.625 ns.
#include <stdexcept>

#include "bench.hpp"
#include "clocks.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;  // 3.9 us
constexpr int kSet = 4;        // banks of a set: the bank is above two bits of bank group

Config sets() { return with(ddr5(), "fine_refresh=2,refresh_groups=4"); }

Step refSet(Clock clock, int set) { return make(Command::refresh, clock, set * kSet, kA11, 1); }
Step preSet(Clock clock, int set) { return make(Command::prechargeAll, clock, set * kSet, kA10 | kA11, 1); }

TEST(Ddr5, timingsInClocks) {
  const Clocks t = toClocks(findPart("DDR5-16Gb-x16-3200BN"), 625);
  EXPECT_EQ(t.tRCD, 26);
  EXPECT_EQ(t.tRP, 26);
  EXPECT_EQ(t.tRAS, 52);  // 51.2 clocks less 0.3 %
  EXPECT_EQ(t.tRC, 77);   // 77.2 clocks less 0.3 % is 76.97
  EXPECT_EQ(t.tFAW, 40);
  EXPECT_EQ(t.tCCD_L_WR, 32);
  EXPECT_EQ(t.tWTR_L, 16);
  EXPECT_EQ(t.tWR, 48);
  EXPECT_EQ(t.tRFC, 471);  // 472 clocks less 0.3 %
  EXPECT_EQ(t.tRFC2, 256);
  EXPECT_EQ(t.tRFCsb, 208);
  EXPECT_EQ(t.tREFSBRD, 48);
}

TEST(Ddr5, aBurstHasSixteenBeats) {
  EXPECT_EQ(broken(ddr5(), {act(0), rd(26, 0, 16)}), Counts{});
  EXPECT_EQ(broken(ddr5(), {act(0), rd(26, 0, 8)}), (Counts{{"COLUMN_ADDRESS", 1}}));
  expectEarliest({"tCCD_S"}, ddr5(), {act(0, 0), act(8, 1), rd(50, 0)}, rd(0, 1), 58);
  Bench bench(ddr5());
  Step write = wr(30, 0, 16);
  write.line = lineOf(7);
  bench.run({act(0), write, rd(200, 0, 16)});
  EXPECT_EQ(bench.at(200), lineOf(7));
}

TEST(Ddr5, theBankGroupIsTheLowerPartOfABank) {
  // tCCD_L and tRRD_L are as long as tCCD_S and tRRD_S at this clock: writes and tWTR tell groups apart
  expectEarliest({"tCCD_L_WR"}, ddr5(), {act(0, 0), act(8, 4), wr(50, 0)}, wr(0, 4), 82);
  expectEarliest({"tCCD_S"}, ddr5(), {act(0, 0), act(8, 1), wr(50, 0)}, wr(0, 1), 58);
  expectEarliest({"tWTR_L"}, ddr5(), {act(0, 0), act(8, 4), wr(50, 0)}, rd(0, 4), 98);
  expectEarliest({"tWTR_S"}, ddr5(), {act(0, 0), act(8, 1), wr(50, 0)}, rd(0, 1), 86);
}

TEST(Ddr5, tRTW) {
  // CL 26 + burst 8 + 4 - CWL 24
  expectEarliest({"tRTW"}, ddr5(), {act(0), rd(26)}, wr(0), 40);
}

TEST(Ddr5, aLongCommandTakesTwoClocks) {
  const Counts meets{{"COMMAND_BUS", 1}};
  for (const Step& first : {act(100, 1), rd(100), wr(100)}) {
    EXPECT_EQ(broken(ddr5(), {act(0), first, pre(101, 9)}), meets);
    EXPECT_EQ(broken(ddr5(), {act(0), first, pre(102, 9)}), Counts{});
  }
  EXPECT_EQ(broken(ddr5(), {act(0), pre(100, 9), rd(101)}), Counts{});
  EXPECT_EQ(broken(ddr3(), {act(0), rd(20), pre(21, 5)}), Counts{});
}

TEST(Ddr5, tPPD) { expectEarliest({"tPPD"}, ddr5(), {act(0, 0), act(8, 1), pre(100, 0)}, pre(0, 1), 102); }

TEST(Ddr5, aRefreshOfTheRank) {
  expectEarliest({"tRFC"}, ddr5(), {ref(100)}, act(0, 7), 571);
  EXPECT_EQ(broken(ddr5(), {act(0, 3), ref(100)}), (Counts{{"REFRESH_BANK_OPEN", 1}}));
  // with fine granularity it is half a refresh, of all sets
  const Config fine = with(ddr5(), "fine_refresh=2");
  expectEarliest({"tRFC"}, fine, {ref(100)}, act(0, 7), 356);
  expectEarliest({"tRFC"}, sets(), {ref(100)}, act(0, 13), 356);
  EXPECT_EQ(broken(sets(), {act(0, 13), ref(100)}), (Counts{{"REFRESH_BANK_OPEN", 1}}));
}

TEST(Ddr5, fourRefreshesOfARankMayBePostponed) {
  EXPECT_EQ(broken(ddr5(), {ref(5 * kRefi)}), Counts{});
  EXPECT_EQ(broken(ddr5(), {ref(5 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
  // eight within two tREFI
  std::vector<Step> steps;
  for (int i = 0; i < 8; ++i) steps.push_back(ref(100 + 600 * i));
  EXPECT_EQ(broken(ddr5(), steps), Counts{});
  steps.push_back(ref(100 + 2 * kRefi - 1));
  EXPECT_EQ(broken(ddr5(), steps), (Counts{{"REFRESH_PULLED_IN", 1}}));
  steps.back() = ref(100 + 2 * kRefi);
  EXPECT_EQ(broken(ddr5(), steps), Counts{});
}

TEST(Ddr5, tRFCsbIsOfTheSet) {
  for (const int group : {0, 3}) expectEarliest({"tRFC"}, sets(), {refSet(100, 2)}, act(0, 2 * kSet + group), 308);
  expectEarliest({"tREFSBRD"}, sets(), {refSet(100, 2)}, act(0, kSet), 148);
  // and so long the next refresh of the rank waits, of whichever set
  expectEarliest({"tRFC"}, sets(), {refSet(100, 2)}, refSet(0, 3), 308);
  EXPECT_EQ(broken(sets(), {act(0, kSet), refSet(100, 2), rd(101, kSet), pre(200, kSet)}), Counts{});
}

TEST(Ddr5, anActivateKeepsTheRefreshOfASetAway) {
  expectEarliest({"tRRD_L"}, sets(), {act(100, 3)}, refSet(0, 2), 108);
}

TEST(Ddr5, theBanksOfASetMustBeClosed) {
  for (const int group : {0, 1, 2, 3})
    EXPECT_EQ(broken(sets(), {act(0, kSet + group), refSet(100, 1)}), (Counts{{"REFRESH_BANK_OPEN", 1}}));
  EXPECT_EQ(broken(sets(), {act(0, 3), act(8, 8), refSet(100, 1)}), Counts{});
  expectEarliest({"tRP"}, sets(), {act(0, kSet), preSet(100, 1)}, refSet(0, 1), 126);
  EXPECT_EQ(broken(sets(), {act(0, 4), act(8, 8), preSet(100, 1), rd(110, 8)}), Counts{});
  EXPECT_EQ(broken(sets(), {act(0, 4), act(8, 8), preSet(100, 1), rd(110, 4)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(sets(), {act(0, 4), act(8, 8), prea(100), rd(110, 8)}), (Counts{{"BANK_CLOSED", 1}}));
}

TEST(Ddr5, eachSetHasItsTurnBeforeOneHasASecond) {
  const Counts early{{"REFRESH_SET", 1}};
  const std::vector<Step> three{refSet(100, 2), refSet(400, 0), refSet(700, 3)};
  const auto then = [&three](const std::vector<Step>& more) {
    std::vector<Step> steps = three;
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
  };
  EXPECT_EQ(broken(sets(), then({refSet(1000, 2)})), early);
  EXPECT_EQ(broken(sets(), then({refSet(1000, 1), refSet(1300, 2)})), Counts{});
  EXPECT_EQ(broken(sets(), then({refSet(1000, 1), refSet(1300, 1)})), Counts{});
  EXPECT_EQ(broken(sets(), then({ref(1000)})), early);
  EXPECT_EQ(broken(sets(), then({refSet(1000, 1), ref(1300)})), Counts{});
  // without fine granularity there are no refreshes of sets
  EXPECT_EQ(broken(ddr5(), {refSet(100, 0)}).count("REFRESH_SET"), 1u);
}

TEST(Ddr5, thePaceIsOfEachSet) {
  // tREFI2 is half as long: eight refreshes of a set may be postponed, and it comes nine tREFI2 after the last at the
  // latest
  const Clock last = 8 * kRefi / 2;
  std::vector<Step> steps;
  for (int set = 0; set < 4; ++set) steps.push_back(refSet(last + 208 * set, set));
  EXPECT_EQ(broken(sets(), steps), Counts{});
  EXPECT_EQ(broken(sets(), {refSet(9 * kRefi / 2 + 1, 0)}, 9 * kRefi / 2 + 2).at("tREFI"), 4u);
}

TEST(Ddr5, hasNoOtherCommandsHere) {
  for (const Step& step : {mrs(100, 0, 0), zqcs(100), zqcl(100)})
    EXPECT_EQ(broken(ddr5(), {step}), (Counts{{"UNKNOWN_COMMAND", 1}}));
}

std::string refused(const Config& config) {
  try {
    Dram dram(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Ddr5, refusesWhatItIsNot) {
  const std::string place = "DRAM model 'dram': ";
  Config c = ddr5();
  c.burstBeats = 8;
  EXPECT_EQ(refused(c), place + "BURST_BEATS = 8: must be 16 to 16");
  c = ddr5();
  c.dq = 64;
  EXPECT_EQ(refused(c), place + "DQ = 64: must be 8 to 32");
  c = ddr5();
  c.initialised = false;
  EXPECT_EQ(refused(c), place + "INITIALISED = 0: must be 1, as the model knows no initialisation of DDR5");
  c = ddr5();
  c.terminated = true;
  EXPECT_EQ(refused(c), place + "TERMINATED = 1: must be 0, as DDR5 has no ODT pin");
  const std::string features = place + "FEATURES: ";
  EXPECT_EQ(refused(with(ddr5(), "fine_refresh=2,refresh_groups=2")),
            features + "refresh_groups = 2: must be 4, the banks of a bank group of DDR5-16Gb-x16-3200BN");
  EXPECT_EQ(
      refused(with(ddr5(), "refresh_groups=4")),
      features +
          "fine_refresh = 1: must be 2 with refresh_groups, as DDR5-16Gb-x16-3200BN has them with fine granularity "
          "alone");
  EXPECT_EQ(refused(with(ddr5(), "fine_refresh=2,on_the_fly")), features + "on_the_fly: DDR5-16Gb-x16-3200BN has none");
  EXPECT_EQ(refused(with(ddr5(), "fine_refresh=4")),
            features + "fine_refresh = 4: DDR5-16Gb-x16-3200BN has no tRFC4; needs optimistic_trfc");
}

}  // namespace
}  // namespace weir::dram::test
