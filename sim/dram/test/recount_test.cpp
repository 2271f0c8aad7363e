// SPDX-License-Identifier: Apache-2.0
// The counts that a controller's own are compared with: commands, row hits, states of a rank, latching.
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "bench.hpp"

namespace weir::dram::test {
namespace {

using Clocks4 = std::array<std::uint64_t, kRankStates>;  // power-down, refreshing, active, precharged standby

/// Clocks of rank 0 in each state after a script that lasts until a clock.
Clocks4 states(const Config& config, const std::vector<Step>& steps, Clock until) {
  Bench bench(config);
  bench.run(steps, until);
  EXPECT_EQ(bench.dram.now(), until);
  return bench.dram.statistics().ranks[0].clocks;
}

TEST(Recount, commands) {
  Bench bench(ddr3(2));
  bench.run({act(0, 0, 0, 1), act(5, 1, 0, 1), act(10, 0, 0, 2), rd(20, 0, 0, 1), rda(30, 1, 0, 1), wr(50, 0, 0, 2),
             wra(70, 0, 8, 2), pre(80, 0, 1), pre(90, 0, 1), prea(120, 3), ref(200, 3)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  const Statistics& s = bench.dram.statistics();
  const RankStatistics& first = s.ranks[0];
  EXPECT_EQ(first.activates(), 2u);
  EXPECT_EQ(first.reads(), 2u);
  EXPECT_EQ(first.writes(), 0u);
  EXPECT_EQ(first.precharges(), 2u);
  EXPECT_EQ(first.prechargesOfAll(), 1u);
  EXPECT_EQ(first.autoPrecharges(), 1u);
  EXPECT_EQ(first.wholeRefreshes(), 1u);
  EXPECT_EQ(first.fineRefreshes, 0u);
  const RankStatistics& second = s.ranks[1];
  EXPECT_EQ(second.activates(), 1u);
  EXPECT_EQ(second.reads(), 0u);
  EXPECT_EQ(second.writes(), 2u);
  EXPECT_EQ(second.precharges(), 0u);
  EXPECT_EQ(second.prechargesOfAll(), 1u);
  EXPECT_EQ(second.autoPrecharges(), 1u);
  EXPECT_EQ(second.wholeRefreshes(), 1u);
}

TEST(Recount, fineRefreshes) {
  Bench bench(with(ddr3(), "fine_refresh=2,optimistic_trfc,on_the_fly"));
  bench.run({ref(100, 1, 1), ref(144, 1, 1), ref(188), ref(300, 1, 1)});
  EXPECT_EQ(bench.dram.statistics().ranks[0].fineRefreshes, 3u);
  EXPECT_EQ(bench.dram.statistics().ranks[0].wholeRefreshes(), 1u);
  EXPECT_EQ(bench.dram.statistics().of(0, Command::refresh), 4u);
}

TEST(Recount, hitsAreColumnsAfterTheFirstOfAnActivate) {
  Bench bench(ddr3(2));
  bench.run({act(0, 0), act(5, 1), rd(20, 0), rd(24, 0, 8), rd(28, 1), wr(40, 0), wr(44, 1), wr(48, 1, 8), pre(80, 0),
             act(91, 0), wr(102, 0), rd(120, 0), rda(124, 0), pre(140, 1), act(160, 0), rd(171, 0), act(10, 0, 0, 2),
             rd(180, 0, 0, 2)});
  EXPECT_EQ(bench.dram.violations().summary(), "");
  const RankStatistics& rank = bench.dram.statistics().ranks[0];
  // Reads: 20 first, 24 hit, 28 first, 120 and 124 hit, 171 first. Writes: 40, 44, 48 hit, 102 first.
  EXPECT_EQ(rank.reads(), 6u);
  EXPECT_EQ(rank.hitReads, 3u);
  EXPECT_EQ(rank.writes(), 4u);
  EXPECT_EQ(rank.hitWrites, 3u);
  EXPECT_EQ(bench.dram.statistics().ranks[1].hitReads, 0u);
}

TEST(Recount, activeStandbyLastsFromTheFirstRowToTheLast) {
  EXPECT_EQ(states(ddr3(), {}, 100), (Clocks4{0, 0, 0, 100}));
  EXPECT_EQ(states(ddr3(), {act(10), pre(40)}, 100), (Clocks4{0, 0, 30, 70}));
  EXPECT_EQ(states(ddr3(), {act(10)}, 11), (Clocks4{0, 0, 1, 10}));
  // Two banks overlap, a third stands alone; a precharge of a closed bank changes nothing.
  EXPECT_EQ(states(ddr3(), {act(10, 0), act(20, 1), pre(40, 0), pre(50, 1), pre(55, 0), act(70, 2), prea(98)}, 200),
            (Clocks4{0, 0, 40 + 28, 132}));
}

TEST(Recount, autoPrechargeEndsActiveStandby) {
  // tRTP 6 after the read; tRAS 28 after the activate; CWL 8, burst 4 and tWR 12 after the write.
  EXPECT_EQ(states(ddr3(), {act(10), rda(50)}, 200), (Clocks4{0, 0, 46, 154}));
  EXPECT_EQ(states(ddr3(), {act(10), rda(21)}, 200), (Clocks4{0, 0, 28, 172}));
  EXPECT_EQ(states(ddr3(), {act(10), wra(50)}, 200), (Clocks4{0, 0, 64, 136}));
  // Read while it lasts, the count is that far.
  EXPECT_EQ(states(ddr3(), {act(10), wra(50)}, 60), (Clocks4{0, 0, 50, 10}));
}

TEST(Recount, refreshing) {
  EXPECT_EQ(states(ddr3(), {ref(10)}, 200), (Clocks4{0, 88, 0, 112}));
  EXPECT_EQ(states(ddr3(), {ref(10)}, 50), (Clocks4{0, 40, 0, 10}));
  EXPECT_EQ(states(ddr3(), {act(10), pre(40), ref(51), act(139)}, 200), (Clocks4{0, 88, 30 + 61, 21}));
  EXPECT_EQ(states(with(ddr3(), "fine_refresh=4,optimistic_trfc"), {ref(10), ref(50)}, 100), (Clocks4{0, 44, 0, 56}));
  EXPECT_EQ(states(with(ddr3(), "time_scale=2"), {ref(10)}, 300), (Clocks4{0, 176, 0, 124}));
}

TEST(Recount, powerDownComesFirst) {
  EXPECT_EQ(states(ddr3(), {pins(50, true, false), pins(80, true, true)}, 200), (Clocks4{30, 0, 0, 170}));
  EXPECT_EQ(states(ddr3(), {act(10), pins(50, true, false), pins(80, true, true), pre(100)}, 200),
            (Clocks4{30, 0, 60, 110}));
  EXPECT_EQ(states(ddr3(), {ref(10), pins(50, true, false), pins(80, true, true)}, 200), (Clocks4{30, 58, 0, 112}));
  EXPECT_EQ(states(ddr3(), {pins(50, true, false)}, 70), (Clocks4{20, 0, 0, 50}));
}

TEST(Recount, resetClosesRows) {
  EXPECT_EQ(states(ddr3(), {act(10), pins(50, false, false), pins(80, true, true)}, 200), (Clocks4{30, 0, 40, 130}));
  Bench bench(ddr3());
  bench.run({act(10)}, 50);
  bench.dram.reset();  // for a cycle, at whose end the rows are closed
  bench.run({}, 100);
  EXPECT_EQ(bench.dram.statistics().ranks[0].clocks, (Clocks4{0, 0, 41, 59}));
}

TEST(Recount, ignoredCommandsChangeNoState) {
  Bench bench(ddr3());
  bench.run({pins(10, true, false), act(20), pins(30, true, true)}, 100);
  EXPECT_EQ(bench.dram.statistics().ranks[0].activates(), 1u);
  EXPECT_EQ(bench.dram.statistics().ignored, 1u);
  EXPECT_EQ(bench.dram.statistics().ranks[0].clocks, (Clocks4{20, 0, 0, 80}));
}

TEST(Recount, statesOfEachRankAddUp) {
  Config c = fast(ddr3(4));
  Bench bench(c);
  bench.run(
      {act(2, 0, 0, 1), act(30, 1, 0, 2), pre(71, 0, 1), ref(122, 4), pins(300, true, false), pins(333, true, true)},
      1000);
  for (const RankStatistics& rank : bench.dram.statistics().ranks) {
    std::uint64_t sum = 0;
    for (const std::uint64_t clocks : rank.clocks) sum += clocks;
    EXPECT_EQ(sum, 1000u);
  }
  EXPECT_EQ(bench.dram.statistics().ranks[0].clocks, (Clocks4{33, 0, 69, 898}));
  EXPECT_EQ(bench.dram.statistics().ranks[1].clocks, (Clocks4{33, 0, 937, 30}));
  EXPECT_EQ(bench.dram.statistics().ranks[2].clocks, (Clocks4{33, 88, 0, 879}));
  EXPECT_EQ(bench.dram.statistics().ranks[3].clocks, (Clocks4{33, 0, 0, 967}));
}

TEST(Recount, latchKeepsAllCountsAsTheyAre) {
  Bench bench(ddr3());
  EXPECT_EQ(bench.dram.latched().ranks[0].activates(), 0u);
  bench.run({act(10), rd(21)}, 40);
  bench.dram.latch();
  bench.run({rd(50), pre(60), act(71)}, 100);
  const Statistics& latched = bench.dram.latched();
  EXPECT_EQ(latched.cycles, 40u);
  EXPECT_EQ(latched.ranks[0].activates(), 1u);
  EXPECT_EQ(latched.ranks[0].hitReads, 0u);
  EXPECT_EQ(latched.ranks[0].clocks, (Clocks4{0, 0, 30, 10}));
  EXPECT_EQ(bench.dram.statistics().ranks[0].activates(), 2u);
  EXPECT_EQ(bench.dram.statistics().ranks[0].hitReads, 1u);
}

TEST(Recount, recordsEachLatchAndTheEnd) {
  const std::string path = ::testing::TempDir() + "weir_dram_statistics.json";
  Bench bench(ddr3());
  bench.dram.recordStatistics(path);
  bench.run({act(10), rd(21), rd(25)}, 40);
  bench.dram.latch();
  bench.dram.flush();
  bench.run({pre(60), ref(71)}, 100);
  bench.dram.flush();
  bench.dram.flush();
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text,
            "{\"cycles\": 40, \"ignored\": 0, \"ranks\": [{\"activates\": 1, \"reads\": 2, \"writes\": 0, "
            "\"hit_reads\": 1, \"hit_writes\": 0, \"precharges\": 0, \"precharges_of_all\": 0, \"auto_precharges\": 0, "
            "\"whole_refreshes\": 0, \"fine_refreshes\": 0, \"clocks_power_down\": 0, \"clocks_refreshing\": 0, "
            "\"clocks_active_standby\": 30, \"clocks_precharged_standby\": 10}]}\n"
            "{\"cycles\": 100, \"ignored\": 0, \"ranks\": [{\"activates\": 1, \"reads\": 2, \"writes\": 0, "
            "\"hit_reads\": 1, \"hit_writes\": 0, \"precharges\": 1, \"precharges_of_all\": 0, \"auto_precharges\": 0, "
            "\"whole_refreshes\": 1, \"fine_refreshes\": 0, \"clocks_power_down\": 0, \"clocks_refreshing\": 29, "
            "\"clocks_active_standby\": 50, \"clocks_precharged_standby\": 21}]}\n");
  std::remove(path.c_str());
  EXPECT_THROW(bench.dram.recordStatistics("/no/such/folder/statistics.json"), std::runtime_error);
}

}  // namespace
}  // namespace weir::dram::test
