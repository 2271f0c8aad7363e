// SPDX-License-Identifier: Apache-2.0
// Column timing, the data bus, and what DFI adds: phases and data enables.
#include "bench.hpp"

namespace weir::dram::test {
namespace {

TEST(ColumnRules, tCCD_S) {
  expectEarliest({"tCCD_S"}, ddr3(), {act(0), rd(11)}, rd(0, 0, 8), 15);
  expectEarliest({"tCCD_S"}, ddr3(), {act(0), wr(11)}, wr(0, 0, 8), 15);
  expectEarliest({"tCCD_S"}, ddr4(), {act(0, 0), act(10, 4), rd(30, 0)}, rd(0, 4), 34);
}

TEST(ColumnRules, tCCD_L) {
  // 5 ns / 0.833 ns.
  expectEarliest({"tCCD_L"}, ddr4(), {act(0, 0), act(10, 1), rd(30, 0)}, rd(0, 1), 36);
}

TEST(ColumnRules, tWTR_S) {
  // CWL 8, burst 4, tWTR 6.
  expectEarliest({"tWTR_S"}, ddr3(), {act(0), wr(11)}, rd(0), 29);
  // CWL 12, burst 4, tWTR_S 3.
  expectEarliest({"tWTR_S"}, ddr4(), {act(0, 0), act(10, 4), wr(30, 0)}, rd(0, 4), 49);
}

TEST(ColumnRules, tWTR_L) {
  // tWTR_L 9, same bank group.
  expectEarliest({"tWTR_L"}, ddr4(), {act(0, 0), act(10, 1), wr(30, 0)}, rd(0, 1), 55);
}

TEST(ColumnRules, tRTW) {
  // CL 11 + burst 4 + 2 - CWL 8.
  expectEarliest({"tRTW"}, ddr3(), {act(0), rd(11)}, wr(0), 20);
  expectEarliest({"tRTW"}, ddr4(), {act(0, 0), act(10, 4), rd(30, 0)}, wr(0, 4), 40);
}

TEST(ColumnRules, tRTRS) {
  const std::vector<Step> open = {act(0, 0, 0, 1), act(5, 0, 0, 2)};
  const auto after = [&](Step step) {
    std::vector<Step> steps = open;
    steps.push_back(step);
    return steps;
  };
  expectEarliest({"tRTRS"}, ddr3(2), after(rd(20, 0, 0, 1)), rd(0, 0, 0, 2), 26);
  expectEarliest({"tRTRS"}, ddr3(2), after(wr(20, 0, 0, 1)), wr(0, 0, 0, 2), 26);
  // Write data 28 to 32, so read data from 34.
  expectEarliest({"tRTRS"}, ddr3(2), after(wr(20, 0, 0, 1)), rd(0, 0, 0, 2), 23);
  // Read data 31 to 35, so write data from 37.
  expectEarliest({"tRTRS"}, ddr3(2), after(rd(20, 0, 0, 1)), wr(0, 0, 0, 2), 29);
}

TEST(ColumnRules, dataBus) {
  const std::vector<Step> open = {act(0, 0, 0, 1), act(5, 0, 0, 2)};
  std::vector<Step> steps = open;
  steps.push_back(rd(20, 0, 0, 1));
  steps.push_back(rd(23, 0, 0, 2));
  EXPECT_EQ(broken(ddr3(2), steps), (Counts{{"DATA_BUS", 1}}));
  steps.back() = rd(24, 0, 0, 2);
  EXPECT_EQ(broken(ddr3(2), steps), (Counts{{"tRTRS", 1}}));
}

TEST(ColumnRules, writeOfAnotherRankMayOvertakeReadData) {
  // CL 16, CWL 9: the read's data begins at 46; a write one clock later has its data at 40 to 44, which leaves two
  // clocks before it. One clock later than that it leaves but one.
  Config c = ddr4(2);
  c.cwl = 9;
  c.writeLatency = 8;
  const std::vector<Step> before = {act(0, 0, 0, 1), act(5, 0, 0, 2), rd(30, 0, 0, 1)};
  auto steps = before;
  steps.push_back(wr(31, 0, 0, 2));
  EXPECT_EQ(broken(c, steps), Counts{});
  steps.back() = wr(32, 0, 0, 2);
  EXPECT_EQ(broken(c, steps), (Counts{{"tRTRS", 1}}));
}

TEST(ColumnRules, burstsOfEarlierCommandsCountToo) {
  // The first write slips in before the read's data, 46 to 50; the second, 44 to 48, meets it.
  Config c = ddr4(2);
  c.cwl = 9;
  c.writeLatency = 8;
  EXPECT_EQ(broken(c, {act(0, 0, 0, 1), act(5, 0, 0, 2), act(10, 4, 0, 2), rd(30, 0, 0, 1), wr(31, 0, 0, 2),
                       wr(35, 4, 0, 2)}),
            (Counts{{"DATA_BUS", 1}}));
}

TEST(ColumnRules, columnAddress) {
  EXPECT_EQ(broken(ddr3(), {act(0), rd(20, 0, 0x3f8)}), Counts{});
  EXPECT_EQ(broken(ddr3(), {act(0), rd(20, 0, 0x004)}), (Counts{{"COLUMN_ADDRESS", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), rd(20, 0, 0x800)}), (Counts{{"COLUMN_ADDRESS", 1}}));
  Config c = ddr3();
  c.columnBits = 9;
  EXPECT_EQ(broken(c, {act(0), rd(20, 0, 0x200)}), (Counts{{"COLUMN_ADDRESS", 1}}));
}

TEST(ColumnRules, enables) {
  Step read = rd(20);
  read.enable = false;
  EXPECT_EQ(broken(ddr3(), {act(0), read}), (Counts{{"READ_ENABLE", 1}}));
  Step write = wr(20);
  write.enable = false;
  EXPECT_EQ(broken(ddr3(), {act(0), write}), (Counts{{"WRITE_ENABLE", 1}}));

  Bench bench(ddr3());
  const std::uint32_t address[4] = {};
  DfiCycle dfi;
  dfi.address = address;
  dfi.rddataEn = 1;
  EXPECT_EQ(bench.dram.clock(dfi), static_cast<unsigned>(Dram::kViolation));
  EXPECT_EQ(bench.dram.violations().count(Rule::readEnable), 1u);
  dfi.rddataEn = 0;
  dfi.wrdataEn = 1;
  EXPECT_EQ(bench.dram.clock(dfi), static_cast<unsigned>(Dram::kViolation));
  EXPECT_EQ(bench.dram.violations().count(Rule::writeEnable), 1u);
}

TEST(ColumnRules, phases) {
  Config c = ddr3();
  c.phases = 4;
  c.readPhase = 1;
  c.writePhase = 0;
  c.readLatency = 9;
  c.writeLatency = 1;
  EXPECT_EQ(broken(c, {act(2), rd(21)}), Counts{});
  EXPECT_EQ(broken(c, {act(2), rd(22)}), (Counts{{"READ_PHASE", 1}}));
  EXPECT_EQ(broken(c, {act(2), wr(20)}), Counts{});
  EXPECT_EQ(broken(c, {act(2), wr(21)}), (Counts{{"WRITE_PHASE", 1}}));
}

TEST(ColumnRules, rankConflict) {
  EXPECT_EQ(broken(ddr3(2), {act(0, 0, 0, 3), rd(20, 0, 0, 3)}), (Counts{{"RANK_CONFLICT", 1}, {"DATA_BUS", 1}}));
}

}  // namespace
}  // namespace weir::dram::test
