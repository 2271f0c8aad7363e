// SPDX-License-Identifier: Apache-2.0
// What the model tells of a run: violations in words, statistics, the command trace, models by name. Runs in the
// repository's root, as tests/run does.
#include <cstdio>
#include <fstream>
#include <set>
#include <stdexcept>

#include "bench.hpp"
#include "process.hpp"
#include "registry.hpp"

namespace weir::dram::test {
namespace {

/// The first violation of a script, in words.
std::string firstViolation(const Config& config, const std::vector<Step>& steps) {
  Bench bench(config);
  bench.run(steps);
  const auto& kept = bench.dram.violations().kept();
  return kept.empty() ? "none" : bench.dram.violations().describe(kept.front());
}

TEST(Violations, tellCommandRulePlaceAndBothTimes) {
  EXPECT_EQ(
      firstViolation(ddr3(2), {act(100, 3, 0x123, 2), rd(107, 3, 0, 2)}),
      "DRAM 'dram': RD at clock 107 (133.750 ns), rank 1 bank 3 row 0x123, breaks tRCD (activate to read or write "
      "of the bank): ACT at clock 100 (125.000 ns), 7 clocks apart, limit 11");
}

TEST(Violations, tellBothBurstsOnTheBus) {
  EXPECT_EQ(firstViolation(ddr3(2), {act(0, 0, 0, 1), act(5, 0, 0, 2), rd(20, 0, 0, 1), rd(25, 0, 0, 2)}),
            "DRAM 'dram': RD at clock 25 (31.250 ns), rank 1 bank 0 row 0x0, breaks tRTRS (gap on the data bus between "
            "bursts of two ranks): burst at clock 36 (45.000 ns), burst of another rank at clock 31 (38.750 ns), 5 "
            "clocks apart, limit 6");
}

TEST(Violations, rulesWithoutATimeTellTheCommand) {
  EXPECT_EQ(
      firstViolation(ddr3(), {rd(16)}),
      "DRAM 'dram': RD at clock 16 (20.000 ns), rank 0 bank 0 row 0x0, breaks BANK_CLOSED (read or write of a bank "
      "that has no open row)");
}

TEST(Violations, tellWhichReadLacksItsEnable) {
  Step read = rd(30, 2, 0, 2);
  read.enable = false;
  EXPECT_EQ(firstViolation(ddr3(2), {act(0, 2, 5, 2), read}),
            "DRAM 'dram': RD at clock 30 (37.500 ns), rank 1 bank 2 row 0x5, breaks READ_ENABLE (rddata_en without a "
            "read or a read without rddata_en)");
}

TEST(Violations, tellWhichRankLacksARefresh) {
  EXPECT_EQ(firstViolation(ddr3(2), {ref(1000, 1), act(56161, 0, 0, 1)}),
            "DRAM 'dram': NOP at clock 56161 (70201.250 ns), rank 1 bank 0 row 0x0, breaks tREFI (more than nine tREFI "
            "(17 tREFI2, 33 tREFI4) between two refreshes of a rank): REF at clock 0 (0.000 ns), 56161 clocks apart, "
            "limit 56160");
}

TEST(Violations, summaryCountsByRule) {
  Bench bench(ddr3());
  bench.run({act(0), rd(5), rd(20), rd(21)});
  EXPECT_EQ(bench.dram.violations().total(), 2u);
  EXPECT_EQ(bench.dram.violations().summary(),
            "tRCD: 1 (activate to read or write of the bank)\n"
            "tCCD_S: 1 (column command to column command of a rank)\n");
}

TEST(Violations, allAreCountedAndTheFirstKept) {
  std::vector<Step> steps;
  for (int i = 0; i < 1000; ++i) steps.push_back(rd(10 + 4 * i));
  Bench bench(ddr3());
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().count(Rule::bankClosed), 1000u);
  EXPECT_EQ(bench.dram.violations().kept().size(), Violations::kKept);
}

TEST(Rules, haveDistinctNamesThatTheReadmeLists) {
  std::ifstream file("sim/dram/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> names;
  for (std::size_t i = 0; i < kRules; ++i) {
    const RuleText& rule = text(static_cast<Rule>(i));
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_NE(readme.find("| `" + std::string(rule.name) + "` |"), std::string::npos) << rule.name;
  }
}

TEST(Statistics, countCommandsByRank) {
  Bench bench(ddr3(2));
  bench.run({act(0, 0, 0, 1), act(5, 0, 0, 2), rd(20, 0, 0, 1), rda(30, 0, 0, 2), rd(40, 0, 0, 1), ref(100, 2)});
  const Statistics& s = bench.dram.statistics();
  EXPECT_EQ(s.of(0, Command::activate), 1u);
  EXPECT_EQ(s.of(0, Command::read), 2u);
  EXPECT_EQ(s.of(1, Command::readAutoPrecharge), 1u);
  EXPECT_EQ(s.of(1, Command::refresh), 1u);
  EXPECT_EQ(s.of(0, Command::refresh), 0u);
  EXPECT_EQ(s.cycles, static_cast<std::uint64_t>(bench.dram.now()));
}

TEST(Statistics, countsSinceAnEarlierTimeAreTheDifference) {
  Bench bench(ddr3(2));
  bench.run({act(0, 0, 0, 1), act(5, 0, 0, 2), rd(20, 0, 0, 1), rd(30, 0, 0, 1)});
  const Statistics begin = bench.dram.statistics();
  bench.run({rd(100, 0, 0, 1), wr(120, 0, 0, 1), ref(300, 2)});
  const Statistics& end = bench.dram.statistics();
  const Statistics gained = end.since(begin);
  EXPECT_EQ(gained.of(0, Command::read), 1u);
  EXPECT_EQ(gained.of(0, Command::write), 1u);
  EXPECT_EQ(gained.of(0, Command::activate), 0u);
  EXPECT_EQ(gained.of(1, Command::refresh), 1u);
  EXPECT_EQ(gained.ranks[0].hitReads, 1u);
  EXPECT_EQ(gained.ranks[0].hitWrites, 1u);
  EXPECT_EQ(gained.cycles, end.cycles - begin.cycles);
  for (const RankStatistics& rank : gained.ranks) {
    std::uint64_t clocks = 0;
    for (const std::uint64_t state : rank.clocks) clocks += state;
    EXPECT_EQ(clocks, gained.cycles);
  }
}

TEST(Trace, readerGetsEveryCommand) {
  const std::string path = ::testing::TempDir() + "weir_dram_trace.bin";
  Config c = ddr3(2);
  c.phases = 4;
  c.readPhase = 1;
  c.readLatency = 9;
  c.writeLatency = 1;
  Bench bench(c);
  bench.dram.trace(path);
  bench.run({act(2, 5, 0x1234, 2), wr(20, 5, 0x2a8, 2), rd(49, 5, 0x2a8, 2), rda(57, 5, 0, 2), prea(150, 3),
             zqcs(170, 1), ref(252, 3)});
  bench.dram.flush();
  EXPECT_EQ(run("python3 sim/dram/trace.py " + path).output,
            "# part MT41J128M8JP-125, tCK 1250 ps, 4 phases, 2 ranks, 8 banks, DQ 64, CL 11, CWL 8\n"
            "# clock phase command rank bank address\n"
            "2 2 ACT 1 5 0x1234\n"
            "20 0 WR 1 5 0x2a8\n"
            "49 1 RD 1 5 0x2a8\n"
            "57 1 RDA 1 5 0x400\n"
            "150 2 PREA 0 0 0x400\n"
            "150 2 PREA 1 0 0x400\n"
            "170 2 ZQCS 0 0 0x0\n"
            "252 0 REF 0 0 0x0\n"
            "252 0 REF 1 0 0x0\n");
  const std::string cut = path + ".cut";
  ASSERT_EQ(run("head -c 90 " + path + " > " + cut).exitCode, 0);
  const Result cutShort = run("python3 sim/dram/trace.py " + cut);
  EXPECT_EQ(cutShort.exitCode, 1);
  EXPECT_NE(cutShort.output.find("trace.py: " + cut + ": record 0 is cut short: 10 of 16 bytes\n"), std::string::npos)
      << cutShort.output;
  const Result other = run("python3 sim/dram/trace.py /dev/null");
  EXPECT_EQ(other.exitCode, 1);
  EXPECT_EQ(other.output, "trace.py: /dev/null: not a Weir DRAM command trace\n");
  std::remove(path.c_str());
  std::remove(cut.c_str());
}

TEST(Trace, refusesAFileThatCannotBeWritten) {
  Dram dram(ddr3());
  EXPECT_THROW(dram.trace("/no/such/folder/trace.bin"), std::runtime_error);
}

TEST(Registry, findsModelsByName) {
  Config c = ddr3();
  c.name = "left";
  const int left = open(c);
  c.name = "right";
  const int right = open(c);
  EXPECT_EQ(find("left"), &model(left));
  EXPECT_EQ(find("right"), &model(right));
  EXPECT_EQ(find("middle"), nullptr);
  EXPECT_THROW(open(c), std::invalid_argument);
}

}  // namespace
}  // namespace weir::dram::test
