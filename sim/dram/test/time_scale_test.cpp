// SPDX-License-Identifier: Apache-2.0
// A memory four (or three) times slower: every rule that is scaled, one clock before and at its scaled boundary, and
// what is not scaled. The clock numbers are those of the rules' own tests, from scaled nanoseconds.
#include "bench.hpp"
#include "clocks.hpp"

namespace weir::dram::test {
namespace {

constexpr Clock kRefi = 6240;

Config slow(int ranks = 1) { return with(ddr3(ranks), "time_scale=4"); }
Config slow4() { return with(ddr4(), "time_scale=3"); }

TEST(TimeScale, rows) {
  expectEarliest({"tRCD"}, slow(), {act(0)}, rd(0), 44);
  expectEarliest({"tRCD"}, slow(), {act(0)}, wr(0), 44);
  expectEarliest({"tRP"}, slow(), {act(0), pre(160)}, act(0), 204);
  expectEarliest({"tRAS"}, slow(), {act(0)}, pre(0), 112);
  expectEarliest({"tRC", "tRP"}, slow(), {act(0), pre(112)}, act(0), 156);
  // 24 ns are 19.2 clocks.
  expectEarliest({"tRRD_S"}, slow(), {act(0, 0)}, act(0, 1), 20);
  expectEarliest({"tFAW"}, slow(), {act(0, 0), act(20, 1), act(40, 2), act(60, 3)}, act(0, 4), 96);
  expectEarliest({"tRTP"}, slow(), {act(0), rd(120)}, pre(0), 144);
  // CWL 8, burst 16, tWR 48.
  expectEarliest({"tWR"}, slow(), {act(0), wr(80)}, pre(0), 152);
  expectEarliest({"tRP"}, slow(), {act(0), rda(150)}, act(0), 150 + 24 + 44);
  expectEarliest({"tRP"}, slow(), {act(0), wra(80)}, act(0), 152 + 44);
}

TEST(TimeScale, columns) {
  expectEarliest({"tCCD_S"}, slow(), {act(0), rd(44)}, rd(0, 0, 8), 60);
  expectEarliest({"tCCD_S"}, slow(), {act(0), wr(44)}, wr(0, 0, 8), 60);
  // CWL 8, burst 16, tWTR 24.
  expectEarliest({"tWTR_S"}, slow(), {act(0), wr(44)}, rd(0), 92);
  // CL 11, burst 16, gap 8, CWL 8.
  expectEarliest({"tRTW"}, slow(), {act(0), rd(44)}, wr(0), 71);
}

TEST(TimeScale, bankGroups) {
  expectEarliest({"tRCD"}, slow4(), {act(0)}, rd(0), 48);
  expectEarliest({"tRRD_S"}, slow4(), {act(0, 0)}, act(0, 4), 12);
  expectEarliest({"tRRD_L"}, slow4(), {act(0, 0)}, act(0, 3), 18);
  expectEarliest({"tCCD_S"}, slow4(), {act(0, 0), act(20, 4), rd(80, 0)}, rd(0, 4), 92);
  expectEarliest({"tCCD_L"}, slow4(), {act(0, 0), act(20, 1), rd(80, 0)}, rd(0, 1), 98);
  // CWL 12, burst 12, tWTR_S 9, tWTR_L 27; CL 16, burst 12, gap 6.
  expectEarliest({"tWTR_S"}, slow4(), {act(0, 0), act(20, 4), wr(80, 0)}, rd(0, 4), 113);
  expectEarliest({"tWTR_L"}, slow4(), {act(0, 0), act(20, 1), wr(80, 0)}, rd(0, 1), 131);
  expectEarliest({"tRTW"}, slow4(), {act(0, 0), act(20, 4), rd(80, 0)}, wr(0, 4), 102);
}

TEST(TimeScale, whatDdr4sRoundingForgivesIsScaled) {
  // tWR is 18.007 clocks, taken as 18 by JEDEC's rounding: four times 18, not 72.03 rounded anew. CWL 12, burst 16.
  expectEarliest({"tWR"}, with(ddr4(), "time_scale=4"), {act(0), wr(100)}, pre(0), 100 + 12 + 16 + 72);
}

TEST(TimeScale, isNeverAboveMultipliedClocks) {
  using Member = Clock Clocks::*;
  for (const Part& part : parts()) {
    const int clockPs = static_cast<int>(part.minimumClockPs);
    const Clocks once = toClocks(part, clockPs);
    for (int k = 1; k <= 64; ++k) {
      const Clocks scaled = toClocks(part, clockPs, k);
      for (const Member timing : {&Clocks::tRCD,   &Clocks::tRP,   &Clocks::tRAS,    &Clocks::tRC,    &Clocks::tRRD_S,
                                  &Clocks::tRRD_L, &Clocks::tFAW,  &Clocks::tCCD_S,  &Clocks::tCCD_L, &Clocks::tWTR_S,
                                  &Clocks::tWTR_L, &Clocks::tRTP,  &Clocks::tWR,     &Clocks::tRTRS,  &Clocks::tRFC,
                                  &Clocks::tRFC2,  &Clocks::tRFC4, &Clocks::tZQoper, &Clocks::tZQCS,  &Clocks::tXP}) {
        EXPECT_LE(scaled.*timing, k * (once.*timing)) << part.name << " " << k;
        EXPECT_GE(scaled.*timing, (k * (once.*timing - 1))) << part.name << " " << k;
      }
    }
  }
}

TEST(TimeScale, dataBus) {
  const std::vector<Step> open = {act(0, 0, 0, 1), act(5, 0, 0, 2)};
  const auto after = [&](Step step) {
    std::vector<Step> steps = open;
    steps.push_back(step);
    return steps;
  };
  // Bursts of 16 clocks, 8 clocks between ranks. Write data 88 to 104, read data 91 to 107.
  expectEarliest({"tRTRS"}, slow(2), after(rd(80, 0, 0, 1)), rd(0, 0, 0, 2), 104);
  expectEarliest({"tRTRS"}, slow(2), after(wr(80, 0, 0, 1)), wr(0, 0, 0, 2), 104);
  expectEarliest({"tRTRS"}, slow(2), after(wr(80, 0, 0, 1)), rd(0, 0, 0, 2), 101);
  expectEarliest({"tRTRS"}, slow(2), after(rd(80, 0, 0, 1)), wr(0, 0, 0, 2), 107);
  auto steps = after(rd(80, 0, 0, 1));
  steps.push_back(rd(95, 0, 0, 2));
  EXPECT_EQ(broken(slow(2), steps), (Counts{{"DATA_BUS", 1}}));
  steps.back() = rd(96, 0, 0, 2);
  EXPECT_EQ(broken(slow(2), steps), (Counts{{"tRTRS", 1}}));
}

TEST(TimeScale, refresh) {
  expectEarliest({"tRFC"}, slow(), {ref(100)}, act(0), 452);
  expectEarliest({"tRFC"}, with(ddr3(), "time_scale=4,fine_refresh=4,optimistic_trfc"), {ref(100)}, act(0), 188);
  // tRFC2 of 8 Gb: 780 ns of 0.833 ns.
  expectEarliest({"tRFC"}, with(ddr4(), "time_scale=3,fine_refresh=2"), {ref(100)}, act(0), 100 + 937);
  EXPECT_EQ(broken(slow(), {ref(36 * kRefi)}), Counts{});
  EXPECT_EQ(broken(slow(), {ref(36 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
  EXPECT_EQ(broken(slow(), {ref(36 * kRefi), ref(4 * 62500)}), Counts{});
  EXPECT_EQ(broken(slow(), {ref(36 * kRefi), ref(4 * 62500 + 1)}), (Counts{{"REFRESH_POSTPONED", 1}}));
  std::vector<Step> burst;
  for (int i = 0; i < 16; ++i) burst.push_back(ref(100 + 352 * i));
  expectEarliest({"REFRESH_PULLED_IN"}, slow(), burst, ref(0), 100 + 8 * kRefi);
  const Config hot = with(ddr3(), "time_scale=4,extended_temperature");
  EXPECT_EQ(broken(hot, {ref(18 * kRefi)}), Counts{});
  EXPECT_EQ(broken(hot, {ref(18 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
}

TEST(TimeScale, retention) {
  const Clock limit = 2 * (51'200'000 + 16 * 6250);
  for (const bool late : {false, true}) {
    Bench bench(with(fast(), "time_scale=2"));
    const Line line = lineOf(2);
    bench.dram.preload(0, line.data(), line.size());
    const Clock end = limit + (late ? 4 : 0);
    bench.run({act(end), rd(end + 25)});
    EXPECT_EQ(bench.dram.violations().count(Rule::retention), late ? 1u : 0u);
    EXPECT_EQ(bench.at(end + 25) == line, !late);
  }
}

TEST(TimeScale, calibrationAndPowerDown) {
  expectEarliest({"tZQ"}, slow(), {zqcs(10)}, act(0), 10 + 256);
  expectEarliest({"tZQ"}, slow(), {zqcl(10)}, act(0), 10 + 1024);
  expectEarliest({"tXP"}, slow(), {pins(100, true, false), pins(200, true, true)}, act(0), 220);
}

TEST(TimeScale, initialisationIsNotScaled) {
  expectEarliest({"tMRD"}, slow(), {mrs(10, 3, 0)}, mrs(0, 2, 0x18), 14);
  expectEarliest({"tMOD"}, slow(), {mrs(10, 3, 0)}, act(0), 22);
  expectEarliest({"tDLLK"}, slow(), {mrs(10, 0, 0x170), act(100)}, rd(0), 522);
  Config c = slow();
  c.initialised = false;
  const std::vector<Step> up = {pins(0, false, false), pins(100, true, false), pins(200, true, true)};
  expectEarliest({"tXPR"}, c, up, mrs(0, 2, 0x18), 296);
  auto steps = up;
  steps.insert(steps.end(), {mrs(296, 2, 0x18), mrs(300, 3, 0), mrs(304, 1, 6), mrs(308, 0, 0x170), zqcl(320)});
  expectEarliest({"tZQ"}, c, steps, act(0), 320 + 512);
}

TEST(TimeScale, dataComesWithThePhysLatency) {
  Step write = wr(50);
  write.line = lineOf(1);
  for (const int scale : {1, 4}) {
    Bench bench(scale == 1 ? ddr3() : slow());
    bench.run({act(0), write, rd(120)});
    EXPECT_EQ(bench.dram.violations().summary(), "");
    EXPECT_EQ(bench.at(120), write.line);
    EXPECT_EQ(bench.lines.size(), 1u);
  }
}

TEST(TimeScale, largest) {
  const Config c = with(ddr3(), "time_scale=64");
  expectEarliest({"tRCD"}, c, {act(0)}, rd(0), 704);
  expectEarliest({"tCCD_S"}, c, {act(0), rd(704)}, rd(0), 704 + 256);
  EXPECT_EQ(broken(c, {ref(64 * 9 * kRefi)}), Counts{});
  EXPECT_EQ(broken(c, {ref(64 * 9 * kRefi + 1)}), (Counts{{"tREFI", 1}}));
}

}  // namespace
}  // namespace weir::dram::test
