// SPDX-License-Identifier: Apache-2.0
// On-die termination, by the mode registers and the ODT pin.
#include "bench.hpp"

namespace weir::dram::test {
namespace {

/// Mode registers that have RTT_NOM and RTT_WR on from the start.
Config terminated(Config c) {
  c.terminated = true;
  return c;
}

/// ODT high from a clock on, for so many clocks.
std::vector<Step> pulse(Clock from, Clock clocks, std::uint32_t ranks = 1) {
  return {odt(from, true, ranks), odt(from + clocks, false, ranks)};
}

std::vector<Step> operator+(std::vector<Step> a, const std::vector<Step>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Counts kRead{{"ODT_READ", 1}}, kWrite{{"ODT_WRITE", 1}}, kHold{{"ODT_HOLD", 1}};

// DDR3-1600: CL 11, CWL 8. The pin acts 6 clocks later. Read data come 11 clocks after the command: RTT must be off
// from 9 to 15 clocks after it, the pin low from 3 to 9.

TEST(Termination, isOffFromTwoClocksBeforeReadDataToTheirEnd) {
  const std::vector<Step> read = {act(0), rd(100)};
  for (Clock at = 90; at < 120; ++at) {
    // four clocks: at, at + 1, at + 2, at + 3
    const bool during = at + 3 >= 103 && at < 109;
    EXPECT_EQ(broken(terminated(ddr3()), read + pulse(at, 4)), during ? kRead : Counts{}) << "ODT at clock " << at;
  }
}

TEST(Termination, thatIsAlwaysOnIsFoundOnceForEachRead) {
  const std::vector<Step> steps = {odt(0, true), act(1), rd(100), rd(104), rd(108), rd(140)};
  EXPECT_EQ(broken(terminated(ddr3()), steps), (Counts{{"ODT_READ", 4}}));
}

TEST(Termination, ofTheOtherRankMayBeOnDuringARead) {
  const std::vector<Step> reads = {act(0, 0, 0, 1), act(1, 0, 0, 2), rd(100, 0, 0, 1), rd(106, 0, 0, 2)};
  // each rank terminates the burst of the other, two clocks apart (tRTRS)
  EXPECT_EQ(broken(terminated(ddr3(2)), reads + pulse(103, 6, 2) + pulse(109, 6, 1)), Counts{});
  // and its own, if the ranks are taken for each other
  EXPECT_EQ(broken(terminated(ddr3(2)), reads + pulse(103, 6, 1) + pulse(109, 6, 2)), (Counts{{"ODT_READ", 2}}));
  // a clock late: the first clock of the next burst's time
  EXPECT_EQ(broken(terminated(ddr3(2)), reads + pulse(104, 6, 2) + pulse(110, 6, 1)), kRead);
}

TEST(Termination, isOnForAWriteFromItsCommandToOdtH8) {
  const std::vector<Step> write = {act(0), wr(100)};
  EXPECT_EQ(broken(terminated(ddr3()), write + pulse(100, 6)), Counts{});
  EXPECT_EQ(broken(terminated(ddr3()), write + pulse(96, 12)), Counts{});
  EXPECT_EQ(broken(terminated(ddr3()), write + pulse(100, 5)), kHold);
  EXPECT_EQ(broken(terminated(ddr3()), write + pulse(99, 6)), kHold);
  EXPECT_EQ(broken(terminated(ddr3()), write + pulse(101, 6)), kWrite);
  EXPECT_EQ(broken(terminated(ddr3()), write), kWrite);
  // each write counts from its own command
  EXPECT_EQ(broken(terminated(ddr3()), write + std::vector<Step>{wr(104)} + pulse(100, 10)), Counts{});
  EXPECT_EQ(broken(terminated(ddr3()), write + std::vector<Step>{wr(104)} + pulse(100, 9)), kHold);
}

TEST(Termination, ofTheWrittenRankIsWhatCounts) {
  const std::vector<Step> write = {act(0, 0, 0, 1), wr(100, 0, 0, 1)};
  EXPECT_EQ(broken(terminated(ddr3(2)), write + pulse(100, 6, 2)), kWrite);
  EXPECT_EQ(broken(terminated(ddr3(2)), write + pulse(100, 6, 3)), Counts{});
}

TEST(Termination, staysForOdtH4) {
  EXPECT_EQ(broken(terminated(ddr3()), pulse(100, 4)), Counts{});
  EXPECT_EQ(broken(terminated(ddr3()), pulse(100, 3)), kHold);
}

TEST(Termination, isAsTheModeRegistersHaveIt) {
  const std::vector<Step> access = {odt(0, true), act(100), rd(120), wr(160)};
  const std::vector<Step> low = {act(100), rd(120), wr(160)};
  const auto set = [](std::uint32_t mr1, std::uint32_t mr2) {
    return std::vector<Step>{mrs(10, 1, mr1), mrs(30, 2, mr2 | 0x18)};
  };
  // off, and the pin means nothing
  EXPECT_EQ(broken(ddr3(), access), Counts{});
  EXPECT_EQ(broken(ddr3(), low), Counts{});
  EXPECT_EQ(broken(terminated(ddr3()), set(0, 0) + low), Counts{});
  // RTT_WR alone: always high is right
  for (const std::uint32_t write : {0x200u, 0x400u}) {
    EXPECT_EQ(broken(ddr3(), set(0, write) + access), Counts{});
    EXPECT_EQ(broken(ddr3(), set(0, write) + low), kWrite);
  }
  // each code of RTT_NOM: A2, A6, A9
  for (const std::uint32_t nominal : {0x004u, 0x040u, 0x044u, 0x200u, 0x204u}) {
    EXPECT_EQ(broken(ddr3(), set(nominal, 0) + access), kRead);
    EXPECT_EQ(broken(ddr3(), set(nominal, 0) + low), kWrite);
  }
  // output drive and TDQS are none
  EXPECT_EQ(broken(ddr3(), set(0x822, 0) + access), Counts{});
}

TEST(Termination, ofDdr4IsOffByItselfDuringReads) {
  const std::vector<Step> access = {odt(0, true), act(100), rd(130), wr(170)};
  EXPECT_EQ(broken(terminated(ddr4()), access), Counts{});
}

TEST(Termination, ofDdr4WritesNeedsThePinForRttNomAlone) {
  const std::vector<Step> write = {act(100), wr(130)};
  const auto set = [](std::uint32_t mr1, std::uint32_t mr2, std::uint32_t mr5) {
    return std::vector<Step>{mrs(10, 1, mr1), mrs(40, 2, mr2 | 0x18), mrs(70, 5, mr5)};
  };
  EXPECT_EQ(broken(ddr4(), set(0, 0, 0) + write), Counts{});
  EXPECT_EQ(broken(ddr4(), set(0x100, 0, 0) + write), kWrite);
  EXPECT_EQ(broken(ddr4(), set(0x100, 0, 0) + write + pulse(130, 6)), Counts{});
  EXPECT_EQ(broken(ddr4(), set(0x100, 0, 0) + write + pulse(130, 5)), kHold);
  EXPECT_EQ(broken(ddr4(), set(0x100, 0x200, 0) + write), Counts{});
  EXPECT_EQ(broken(ddr4(), set(0x100, 0x600, 0) + write), kWrite);  // RTT_WR of high impedance
  EXPECT_EQ(broken(ddr4(), set(0x100, 0, 0x40) + write), Counts{});
}

TEST(Termination, ofPhasesIsJudgedByTheClock) {
  Config c = terminated(fast());
  c.writePhase = 2;
  const std::vector<Step> write = {act(0), wr(102)};
  EXPECT_EQ(broken(c, write + pulse(102, 6)), Counts{});
  EXPECT_EQ(broken(c, write + pulse(102, 5)), kHold);
  EXPECT_EQ(broken(c, write + pulse(103, 6)), kWrite);
  // read phase 1: the pin is low from clock 104 to 110
  const std::vector<Step> read = {act(0), rd(101)};
  EXPECT_EQ(broken(c, read + pulse(100, 4)), Counts{});
  EXPECT_EQ(broken(c, read + pulse(101, 4)), kRead);
  EXPECT_EQ(broken(c, read + pulse(109, 4)), kRead);
  EXPECT_EQ(broken(c, read + pulse(110, 4)), Counts{});
}

TEST(Termination, isHeldLowWhileTheInitialisationSwitchesItOn) {
  Config c = ddr3();
  c.initialised = false;
  const auto sequence = [](std::uint32_t mr1) {
    return std::vector<Step>{pins(0, false, false), pins(100, true, false), pins(200, true, true), mrs(296, 2, 0x218),
                             mrs(300, 3, 0),        mrs(304, 1, mr1),       mrs(308, 0, 0x170),    zqcl(320)};
  };
  const Counts wrong{{"ODT_INITIALISATION", 1}};
  EXPECT_EQ(broken(c, sequence(0x006)), Counts{});
  EXPECT_EQ(broken(c, sequence(0x006) + std::vector<Step>{odt(150, true)}), wrong);
  EXPECT_EQ(broken(c, sequence(0x002) + std::vector<Step>{odt(150, true)}), Counts{});
  EXPECT_EQ(broken(c, sequence(0x002) + std::vector<Step>{odt(302, true)}), wrong);
}

}  // namespace
}  // namespace weir::dram::test
