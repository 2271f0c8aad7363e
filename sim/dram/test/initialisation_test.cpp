// SPDX-License-Identifier: Apache-2.0
// Power-up, RESET#, CKE, mode registers, the initialisation sequence.
#include "bench.hpp"

namespace weir::dram::test {
namespace {

// Mode registers, by JESD79-3F figures 9 to 12: CL 11 with DLL reset, nominal termination, CWL 8.
constexpr std::uint32_t kMr0 = 0x0170;
constexpr std::uint32_t kMr1 = 0x0006;
constexpr std::uint32_t kMr2 = 0x0018;

Config unpowered(int ranks = 1) {
  Config c = ddr3(ranks);
  c.initialised = false;
  return c;
}

/// The sequence with every wait at its least: tXPR 96, tMRD 4, tMOD 12 (15 ns), tZQinit 512.
std::vector<Step> sequence(std::uint32_t ranks = 1) {
  return {pins(0, false, false), pins(100, true, false),   pins(200, true, true),    mrs(296, 2, kMr2, ranks),
          mrs(300, 3, 0, ranks), mrs(304, 1, kMr1, ranks), mrs(308, 0, kMr0, ranks), zqcl(320, ranks)};
}

/// The sequence with one step altered or left out, and an access at its end.
Counts altered(const std::function<void(std::vector<Step>&)>& alter) {
  std::vector<Step> steps = sequence();
  alter(steps);
  steps.push_back(act(1000));
  steps.push_back(rd(1020));
  return broken(unpowered(), steps);
}

TEST(Initialisation, sequence) {
  EXPECT_EQ(altered([](auto&) {}), Counts{});
  // Both ranks at once.
  auto steps = sequence(3);
  steps.push_back(act(1000, 0, 0, 1));
  steps.push_back(act(1001, 0, 0, 2));
  EXPECT_EQ(broken(unpowered(2), steps), Counts{});
}

TEST(Initialisation, tXPR) {
  // tRFC 110 ns + 10 ns.
  expectEarliest({"tXPR"}, unpowered(), {pins(0, false, false), pins(100, true, false), pins(200, true, true)},
                 mrs(0, 2, kMr2), 296);
}

TEST(Initialisation, tMRDandtMOD) {
  EXPECT_EQ(altered([](auto& s) { s[4].clock = 299; }), (Counts{{"tMRD", 1}}));
  EXPECT_EQ(altered([](auto& s) { s[7].clock = 319; }), (Counts{{"tMOD", 1}}));
}

TEST(Initialisation, tZQinit) { expectEarliest({"tZQ"}, unpowered(), sequence(), act(0), 320 + 512); }

TEST(Initialisation, tDLLK) {
  // In the sequence tZQinit outlasts it; a DLL reset in operation shows it.
  expectEarliest({"tDLLK"}, ddr3(), {mrs(10, 0, kMr0), act(100)}, rd(0), 522);
}

TEST(Initialisation, order) {
  EXPECT_EQ(altered([](auto& s) { std::swap(s[3].clock, s[4].clock); }), (Counts{{"INITIALISATION_ORDER", 2}}));
  EXPECT_EQ(altered([](auto& s) { s.erase(s.begin() + 4); }), (Counts{{"INITIALISATION_ORDER", 3}}));
  EXPECT_EQ(broken(unpowered(), {mrs(10, 2, kMr2)}), (Counts{{"INITIALISATION_ORDER", 1}}));
  EXPECT_EQ(altered([](auto& s) {
              s.insert(s.begin() + 7, prea(400));
              s.back().clock = 420;
            }),
            (Counts{{"INITIALISATION_ORDER", 1}}));
}

TEST(Initialisation, notInitialised) {
  EXPECT_EQ(broken(unpowered(), {act(10)}), (Counts{{"NOT_INITIALISED", 1}}));
  EXPECT_EQ(altered([](auto& s) { s.pop_back(); }), (Counts{{"NOT_INITIALISED", 2}}));
}

TEST(Initialisation, modeRegisters) {
  EXPECT_EQ(altered([](auto& s) { s[6].address = 0x0160; }), (Counts{{"MODE_CL", 1}}));   // CL 10
  EXPECT_EQ(altered([](auto& s) { s[6].address |= 2; }), (Counts{{"MODE_BURST", 1}}));    // burst chop
  EXPECT_EQ(altered([](auto& s) { s[3].address = 0x0010; }), (Counts{{"MODE_CWL", 1}}));  // CWL 7
  EXPECT_EQ(altered([](auto& s) { s[5].address |= 8; }), (Counts{{"MODE_ADDITIVE_LATENCY", 1}}));
}

TEST(Initialisation, writeRecovery) {
  // tWR 15 ns is 12 clocks of DDR3-1600: codes of 12, 14 and 16 will do (JESD79-3F figure 9).
  const std::map<std::uint32_t, int> ddr3Codes = {{0, 16}, {1, 5}, {2, 6}, {3, 7}, {4, 8}, {5, 10}, {6, 12}, {7, 14}};
  for (const auto& [code, clocks] : ddr3Codes)
    EXPECT_EQ(altered([&](auto& s) { s[6].address = kMr0 | code << 9; }),
              clocks >= 12 ? Counts{} : (Counts{{"MODE_WR", 1}}))
        << "WR " << clocks;
  // As long as the chips need, however slow the memory is made to look.
  Config slow = with(unpowered(), "time_scale=4");
  std::vector<Step> steps = sequence();
  steps[6].address = kMr0 | 6u << 9;
  EXPECT_EQ(broken(slow, steps), Counts{});
  // DDR4-2400: 18 clocks; A13 is the upper bit (JESD79-4B table 2).
  const std::map<std::uint32_t, int> ddr4Codes = {{0x0000, 10}, {0x0200, 12}, {0x0400, 14}, {0x0600, 16},
                                                  {0x0800, 18}, {0x0a00, 20}, {0x0c00, 24}, {0x0e00, 22},
                                                  {0x2000, 26}, {0x2200, 28}, {0x2400, 0}};
  for (const auto& [code, clocks] : ddr4Codes)
    EXPECT_EQ(broken(ddr4(), {mrs(10, 0, 0x34 | code)}), clocks >= 18 ? Counts{} : (Counts{{"MODE_WR", 1}}))
        << "WR " << clocks;
}

TEST(Initialisation, everyDdr3LatencyIsDecoded) {
  // A6:A4 and A2 of mode register 0 (JESD79-3F figure 9) and A5:A3 of mode register 2.
  const std::map<int, std::uint32_t> codes = {{5, 0x10},  {6, 0x20},  {7, 0x30},  {8, 0x40}, {9, 0x50},
                                              {10, 0x60}, {11, 0x70}, {12, 0x04}, {13, 0x14}};
  for (const auto& [cl, code] : codes) {
    Config c = ddr3();
    c.clockPs = 3000;
    c.cl = cl;
    c.cwl = 5;
    c.writeLatency = 4;
    c.readLatency = 30;
    EXPECT_EQ(broken(c, {mrs(10, 0, code), mrs(20, 2, 0x00)}), Counts{}) << "CL " << cl;
    EXPECT_EQ(broken(c, {mrs(10, 0, code ^ 0x04), mrs(20, 2, 0x08)}), (Counts{{"MODE_CL", 1}, {"MODE_CWL", 1}}))
        << "CL " << cl;
  }
}

TEST(Initialisation, ddr4) {
  Config c = ddr4();
  c.initialised = false;
  // CL 16 is 0111 in A6:A4,A2 with A12 low; CWL 12 is 011 (JESD79-4B tables 3 and 7). tXPR 360 ns, tMRD 8, tMOD 24.
  const std::vector<Step> steps = {pins(0, false, false),
                                   pins(100, true, false),
                                   pins(200, true, true),
                                   mrs(700, 3, 0),
                                   mrs(708, 6, 0),
                                   mrs(716, 5, 0x400),
                                   mrs(724, 4, 0),
                                   mrs(732, 2, 0x18),
                                   mrs(740, 1, 0x101),
                                   mrs(748, 0, 0x934),
                                   zqcl(772)};
  expectEarliest({"tZQ"}, c, steps, act(0), 772 + 1024);
  auto wrong = steps;
  wrong[9].address = 0x1934;
  EXPECT_EQ(broken(c, wrong), (Counts{{"MODE_CL", 1}}));
  std::swap(wrong[3].clock, wrong[4].clock);
  wrong[9].address = 0x934;
  EXPECT_EQ(broken(c, wrong), (Counts{{"INITIALISATION_ORDER", 2}}));
}

TEST(Initialisation, freeRunningRefresherBeforePowerUpHasNoEffect) {
  std::vector<Step> steps = {
      prea(5, 3), ref(16, 3), prea(1000, 3), ref(1011, 3), pins(1100, true, false), pins(1500, true, true)};
  for (Step step : sequence(3))
    if (step.pins < 0) {
      step.clock += 1300;
      steps.push_back(step);
    }
  steps.push_back(act(2300, 0, 0, 1));
  steps.push_back(rd(2320, 0, 0, 1));
  Bench bench(unpowered(2));
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.dram.statistics().ignored, 8u);
}

TEST(Initialisation, ckeLow) {
  EXPECT_EQ(broken(ddr3(), {pins(100, true, false), act(110)}), (Counts{{"CKE_LOW", 1}}));
  EXPECT_EQ(broken(unpowered(), {pins(0, true, false), mrs(10, 2, kMr2)}), (Counts{{"CKE_LOW", 1}}));
}

TEST(Initialisation, tXP) {
  // 6 ns.
  expectEarliest({"tXP"}, ddr3(), {pins(100, true, false), pins(200, true, true)}, act(0), 205);
}

TEST(Initialisation, resetLow) {
  EXPECT_EQ(broken(ddr3(), {pins(100, false, false), act(110)}), (Counts{{"RESET_LOW", 1}}));
  // Reset closes the banks and undoes the initialisation.
  EXPECT_EQ(broken(ddr3(), {act(0), pins(100, false, false), pins(200, true, false), pins(300, true, true), act(1000)}),
            (Counts{{"NOT_INITIALISED", 1}}));
}

TEST(Initialisation, resetMayBeFollowedByAnotherInitialisation) {
  // Banks are closed, and nothing is owed, during and after a reset of any length.
  std::vector<Step> steps = {act(0), wr(20), pins(100, false, false)};
  const Clock later = 20 * 6240;
  for (Step step : sequence()) {
    step.clock += later;
    steps.push_back(step);
  }
  steps.push_back(act(later + 1000));
  steps.push_back(rd(later + 1020));
  EXPECT_EQ(broken(ddr3(), steps), Counts{});
  for (Step step : sequence()) {
    step.clock += later + 2000;
    steps.push_back(step);
  }
  steps.push_back(act(later + 3000));
  EXPECT_EQ(broken(ddr3(), steps), Counts{});
}

TEST(Initialisation, restartSeesThePinsAnew) {
  Bench bench(unpowered());
  bench.run({pins(0, true, false)}, 10);
  bench.dram.reset();
  bench.run({mrs(bench.dram.now() + 5, 2, kMr2)});
  EXPECT_EQ(bench.dram.violations().count(Rule::ckeLow), 1u);
}

TEST(Initialisation, refreshesAreOwedFromTheFirstUse) {
  auto steps = sequence();
  EXPECT_EQ(broken(unpowered(), steps, 10 * 9 * 6240), Counts{});
  steps.push_back(act(1000));
  EXPECT_EQ(broken(unpowered(), steps, 1000 + 9 * 6240 + 1), Counts{});
  EXPECT_EQ(broken(unpowered(), steps, 1000 + 9 * 6240 + 2), (Counts{{"tREFI", 1}}));
}

TEST(Initialisation, multiPurposeRegister) {
  // Mode register 3, A2: reads return 0, 1, 0, 1 ... on every pin, with all banks closed.
  Bench bench(ddr3());
  bench.run({mrs(10, 3, 4), rd(30), mrs(60, 3, 0), act(80), rd(100)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  const Line line = bench.at(30);
  for (std::size_t i = 0; i < line.size(); ++i) EXPECT_EQ(line[i], i / 8 % 2 == 0 ? 0x00 : 0xff);
  EXPECT_NE(bench.at(100), line);
}

TEST(Initialisation, restartReturnsToTheStart) {
  Bench bench(ddr3());
  Step write = wr(20, 3, 8);
  write.line = lineOf(1);
  bench.run({act(0, 3, 7), write});
  bench.dram.reset();
  const Clock now = bench.dram.now();
  bench.run({act(now, 3, 7), rd(now + 20, 3, 8)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  EXPECT_EQ(bench.at(now + 20), write.line);
}

}  // namespace
}  // namespace weir::dram::test
