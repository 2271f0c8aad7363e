// SPDX-License-Identifier: Apache-2.0
// What is read is what was written there, on the right cycle.
#include <cstdio>
#include <fstream>

#include "bench.hpp"

namespace weir::dram::test {
namespace {

/// A channel whose PHY has that many phases.
Config phased(int phases, int ranks = 1) {
  Config c = ddr3(ranks);
  c.phases = phases;
  c.readPhase = phases / 2;
  c.writePhase = phases == 4 ? 3 : 0;
  c.readLatency = 16 / phases + 2;
  c.writeLatency = 8 / phases - 1;
  return c;
}

/// The first clock from `clock` on that stands in a phase.
Clock inPhase(const Config& c, int phase, Clock clock) {
  while (clock % c.phases != phase) ++clock;
  return clock;
}

TEST(Data, writesAreReadBackWithAnyNumberOfPhases) {
  for (const int phases : {1, 2, 4}) {
    const Config c = phased(phases, 2);
    Bench bench(c);
    std::vector<Step> steps;
    std::map<Clock, Line> expected;
    Clock clock = 0;
    // Every bank of both ranks: open, write two lines, read them back, close.
    for (std::uint32_t rank = 0; rank < 2; ++rank)
      for (int bank = 0; bank < 8; ++bank) {
        const std::uint32_t select = 1u << rank;
        const auto row = static_cast<std::uint32_t>(bank * 321 + 5) + 1000 * rank;
        steps.push_back(act(clock, bank, row, select));
        std::array<Line, 2> lines = {lineOf(row), lineOf(row + 7777)};
        clock += 12;
        for (std::uint32_t i = 0; i < 2; ++i) {
          clock = inPhase(c, c.writePhase, clock);
          Step write = wr(clock, bank, i == 0 ? 0 : 0x3f8, select);
          write.line = lines[i];
          steps.push_back(write);
          clock += 4;
        }
        clock += 20;
        for (std::uint32_t i = 0; i < 2; ++i) {
          clock = inPhase(c, c.readPhase, clock);
          steps.push_back(rd(clock, bank, i == 0 ? 0 : 0x3f8, select));
          expected[clock] = lines[i];
          clock += 4;
        }
        clock += 10;
        steps.push_back(pre(clock, bank, select));
        clock += 20;
      }
    bench.run(steps);
    EXPECT_EQ(bench.dram.violations().summary(), "") << phases << " phases";
    EXPECT_EQ(bench.lines.size(), expected.size());
    for (const auto& [at, line] : expected) EXPECT_EQ(bench.at(at), line) << phases << " phases, clock " << at;
  }
}

TEST(Data, narrowBus) {
  for (const int dq : {8, 16, 32}) {
    Config c = phased(4);
    c.dq = dq;
    Bench bench(c);
    Step write = wr(15, 2, 0x10);
    write.line = lineOf(9);
    bench.run({act(0, 2, 3), write, rd(46, 2, 0x10), rd(50, 2, 0x18)});
    EXPECT_EQ(bench.dram.violations().summary(), "");
    const Line line = bench.at(46);
    for (int i = 0; i < dq; ++i) EXPECT_EQ(line[static_cast<std::size_t>(i)], write.line[static_cast<std::size_t>(i)]);
    std::vector<std::uint8_t> next(static_cast<std::size_t>(dq));
    // Row 3, bank 2 of 8, columns 0x18 on; a column holds dq / 8 bytes.
    const auto column = static_cast<std::uint64_t>(dq) / 8;
    bench.dram.dump(((3 * 8 + 2) * 1024 + 0x18) * column, next.data(), next.size());
    EXPECT_TRUE(std::equal(next.begin(), next.end(), bench.at(50).begin()));
  }
}

TEST(Data, maskKeepsBytes) {
  Bench bench(ddr3());
  Step first = wr(20, 1, 8);
  first.line = lineOf(3);
  Step second = wr(30, 1, 8);
  second.line = lineOf(4);
  second.mask = 0x8000'0000'0000'00f1u;
  bench.run({act(0, 1, 2), first, second, rd(60, 1, 8)});
  Line expected = second.line;
  for (std::size_t i = 0; i < 64; ++i)
    if ((second.mask >> i & 1u) != 0) expected[i] = first.line[i];
  EXPECT_EQ(bench.at(60), expected);
  EXPECT_NE(expected, second.line);
}

TEST(Data, banksRowsColumnsAndRanksAreApart) {
  // Line addresses that differ in one bit of one part.
  Config c = ddr3(2);
  struct Where {
    std::uint32_t rank, row, column;
    int bank;
  };
  std::vector<Where> all = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  for (std::uint32_t bit = 0; bit < 14; ++bit) all.push_back({0, 1u << bit, 0, 0});
  for (std::uint32_t bit = 3; bit < 10; ++bit) all.push_back({0, 0, 1u << bit, 0});
  for (int bit = 0; bit < 3; ++bit) all.push_back({0, 0, 0, 1 << bit});
  std::vector<Step> steps;
  std::map<Clock, Line> expected;
  Clock clock = 0;
  for (const bool reading : {false, true})
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Where& w = all[i];
      steps.push_back(act(clock, w.bank, w.row, 1u << w.rank));
      Step access =
          reading ? rd(clock + 20, w.bank, w.column, 1u << w.rank) : wr(clock + 20, w.bank, w.column, 1u << w.rank);
      access.line = lineOf(static_cast<std::uint32_t>(i) + 100);
      if (reading) expected[access.clock] = access.line;
      steps.push_back(access);
      steps.push_back(pre(clock + 60, w.bank, 1u << w.rank));
      clock += 100;
    }
  Bench bench(c);
  bench.run(steps);
  EXPECT_EQ(bench.dram.violations().summary(), "");
  for (const auto& [at, line] : expected) EXPECT_EQ(bench.at(at), line) << "clock " << at;
}

TEST(Data, unwrittenMemoryHasAPatternOfItsAddress) {
  Bench a(ddr3());
  Bench b(ddr3());
  const std::vector<Step> steps = {act(0, 1, 2), rd(20, 1, 0), rd(30, 1, 8), pre(40, 1), act(60, 1, 3), rd(80, 1, 0)};
  a.run(steps);
  b.run(steps);
  EXPECT_EQ(a.at(20), b.at(20));
  EXPECT_NE(a.at(20), a.at(30));
  EXPECT_NE(a.at(20), a.at(80));
  EXPECT_EQ(a.dram.rowsHeld(), 0u);
  // A write to one line of the row leaves the others as they were.
  b.run({wr(b.dram.now(), 1, 16), rd(b.dram.now() + 30, 1, 0)});
  EXPECT_EQ(b.at(b.lines.rbegin()->first - 15), a.at(80));
}

TEST(Data, writeToBothRanks) {
  Bench bench(ddr3(2));
  Step write = wr(20, 0, 0, 3);
  write.line = lineOf(5);
  bench.run({act(0, 0, 1, 1), act(5, 0, 2, 2), write, rd(50, 0, 0, 1), rd(60, 0, 0, 2)});
  EXPECT_EQ(bench.at(50), write.line);
  EXPECT_EQ(bench.at(60), write.line);
}

TEST(Data, preloadAndDump) {
  Config c = ddr3(2);
  Bench bench(c);
  // Across the end of a row: row 5, rank 1, bank 7 ends where row 6, rank 0, bank 0 begins.
  const std::uint64_t rowBytes = 1024 * 8;
  const std::uint64_t end = (5 * 16 + 8 + 8) * rowBytes;
  std::vector<std::uint8_t> bytes(200);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  bench.dram.preload(end - 64, bytes.data(), bytes.size());
  bench.run({act(0, 7, 5, 2), act(5, 0, 6, 1), rd(20, 7, 1016, 2), rd(30, 0, 0, 1), rd(40, 0, 8, 1)});
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 64, bench.at(20).begin()));
  EXPECT_TRUE(std::equal(bytes.begin() + 64, bytes.begin() + 128, bench.at(30).begin()));
  EXPECT_TRUE(std::equal(bytes.begin() + 128, bytes.begin() + 192, bench.at(40).begin()));
  std::vector<std::uint8_t> back(bytes.size());
  bench.dram.dump(end - 64, back.data(), back.size());
  EXPECT_EQ(back, bytes);
}

TEST(Data, preloadAndDumpOfFiles) {
  const std::string path = ::testing::TempDir() + "weir_dram_preload.bin";
  const std::string copy = ::testing::TempDir() + "weir_dram_dump.bin";
  std::string bytes(3 * 1024 * 1024 + 17, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 4096);
  std::ofstream(path, std::ios::binary) << bytes;
  Dram dram(ddr3(2));
  EXPECT_EQ(dram.preload(0x1234, path), bytes.size());
  dram.dump(0x1234, bytes.size(), copy);
  std::ifstream file(copy, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), bytes);
  std::remove(path.c_str());
  std::remove(copy.c_str());
}

TEST(Data, preloadRefusesWhatDoesNotFit) {
  Dram dram(ddr3());
  const std::uint64_t size = dram.config().bytes();
  EXPECT_EQ(size, 1ull << 30);
  const std::uint8_t byte = 1;
  EXPECT_NO_THROW(dram.preload(size - 1, &byte, 1));
  try {
    dram.preload(size, &byte, 1);
    FAIL() << "a byte beyond the end was accepted";
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(),
                 "DRAM storage: 1 bytes at 0x40000000 do not lie within the 0x40000000 bytes of the channel");
  }
  EXPECT_THROW(dram.preload(0, std::string("/no/such/file")), std::runtime_error);
}

}  // namespace
}  // namespace weir::dram::test
