// SPDX-License-Identifier: Apache-2.0
// Row timing and bank state: every rule broken by one clock, and kept at its boundary. The clock numbers are worked out
// by hand from the datasheet's nanoseconds at tCK = 1.25 ns (DDR3-1600K) and 0.833 ns (DDR4-2400R).
#include "bench.hpp"

namespace weir::dram::test {
namespace {

TEST(BankRules, tRCD) {
  expectEarliest({"tRCD"}, ddr3(), {act(0)}, rd(0), 11);
  expectEarliest({"tRCD"}, ddr3(), {act(0)}, wr(0), 11);
  expectEarliest({"tRCD"}, ddr4(), {act(0)}, rd(0), 16);
}

TEST(BankRules, tRP) {
  expectEarliest({"tRP"}, ddr3(), {act(0), pre(40)}, act(0), 51);
  expectEarliest({"tRP"}, ddr3(), {act(0), prea(40)}, act(0), 51);
  expectEarliest({"tRP"}, ddr3(), {act(0), pre(40)}, ref(0), 51);
  expectEarliest({"tRP"}, ddr3(), {act(0), pre(40)}, zqcs(0), 51);
  expectEarliest({"tRP"}, ddr3(), {act(0), pre(40)}, mrs(0, 3, 0), 51);
  // The period counts from the last precharge, even of a bank that is closed already (JESD79-3F 4.12).
  expectEarliest({"tRP"}, ddr3(), {act(0), pre(40), pre(45)}, act(0), 56);
}

TEST(BankRules, tRAS) {
  expectEarliest({"tRAS"}, ddr3(), {act(0)}, pre(0), 28);
  expectEarliest({"tRAS"}, ddr3(), {act(0)}, prea(0), 28);
  expectEarliest({"tRAS"}, ddr4(), {act(0)}, pre(0), 39);
}

TEST(BankRules, tRC) {
  // tRC = tRAS + tRP in this bin, so the precharge is early too.
  expectEarliest({"tRC", "tRP"}, ddr3(), {act(0), pre(28)}, act(0), 39);
}

TEST(BankRules, tRRD_S) {
  expectEarliest({"tRRD_S"}, ddr3(), {act(0, 0)}, act(0, 1), 5);
  expectEarliest({"tRRD_S"}, ddr4(), {act(0, 0)}, act(0, 4), 4);
}

TEST(BankRules, tRRD_L) { expectEarliest({"tRRD_L"}, ddr4(), {act(0, 0)}, act(0, 3), 6); }

TEST(BankRules, tFAW) {
  expectEarliest({"tFAW"}, ddr3(), {act(0, 0), act(5, 1), act(10, 2), act(15, 3)}, act(0, 4), 24);
  // The window slides: the sixth activate counts from the second.
  expectEarliest({"tFAW"}, ddr3(), {act(0, 0), act(8, 1), act(13, 2), act(18, 3), act(24, 4)}, act(0, 5), 32);
  // Another rank has its own window.
  EXPECT_EQ(broken(ddr3(2), {act(0, 0), act(5, 1), act(10, 2), act(15, 3), act(20, 4, 0, 2)}), Counts{});
}

TEST(BankRules, tRTP) {
  expectEarliest({"tRTP"}, ddr3(), {act(0), rd(30)}, pre(0), 36);
  expectEarliest({"tRTP"}, ddr4(), {act(0), rd(40)}, pre(0), 49);
}

TEST(BankRules, tWR) {
  // CWL 8, burst 4, tWR 12.
  expectEarliest({"tWR"}, ddr3(), {act(0), wr(20)}, pre(0), 44);
  // CWL 12, burst 4, tWR 18: 15 ns / 0.833 ns = 18.007, which JEDEC's rounding takes as 18.
  expectEarliest({"tWR"}, ddr4(), {act(0), wr(20)}, pre(0), 54);
}

TEST(BankRules, autoPrechargeOfRead) {
  // The precharge begins at the later of tRTP after the read and tRAS after the activate.
  expectEarliest({"tRP"}, ddr3(), {act(0), rda(40)}, act(0), 40 + 6 + 11);
  expectEarliest({"tRC", "tRP"}, ddr3(), {act(0), rda(12)}, act(0), 28 + 11);
  expectEarliest({"tRP"}, ddr3(), {act(0), rda(40)}, ref(0), 40 + 6 + 11);
}

TEST(BankRules, autoPrechargeOfWrite) {
  expectEarliest({"tRP"}, ddr3(), {act(0), wra(20)}, act(0), 20 + 8 + 4 + 12 + 11);
}

TEST(BankRules, bankOpen) {
  EXPECT_EQ(broken(ddr3(), {act(0), act(60)}), (Counts{{"BANK_OPEN", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), pre(40), act(60)}), Counts{});
}

TEST(BankRules, bankClosed) {
  EXPECT_EQ(broken(ddr3(), {rd(5)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), wr(20, 1)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), pre(40), rd(60)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), rda(20), rd(30)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(2), {act(0), rd(20, 0, 0, 2)}), (Counts{{"BANK_CLOSED", 1}}));
}

TEST(BankRules, prechargeAllClosesAll) {
  EXPECT_EQ(broken(ddr3(), {act(0, 0), act(10, 7), prea(50), rd(70, 7)}), (Counts{{"BANK_CLOSED", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0, 0), act(10, 7), prea(50), act(70, 0), act(80, 7), ref(200)}),
            (Counts{{"REFRESH_BANK_OPEN", 1}}));
}

TEST(BankRules, openBanksForbidRankCommands) {
  EXPECT_EQ(broken(ddr3(), {act(0), ref(60)}), (Counts{{"REFRESH_BANK_OPEN", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), zqcs(60)}), (Counts{{"ZQ_BANK_OPEN", 1}}));
  EXPECT_EQ(broken(ddr3(), {act(0), mrs(60, 3, 0)}), (Counts{{"MODE_BANK_OPEN", 1}}));
  EXPECT_EQ(broken(ddr3(2), {act(0), ref(60, 2), zqcs(200, 2)}), Counts{});
}

TEST(BankRules, ranksAreIndependent) {
  EXPECT_EQ(broken(ddr3(2), {act(0, 0, 1, 1), act(1, 0, 2, 2), rd(11, 0, 0, 1), rd(17, 0, 0, 2)}), Counts{});
}

TEST(BankRules, rowAddress) {
  Config c = ddr3();
  c.addressPins = 16;
  EXPECT_EQ(broken(c, {act(0, 0, 0x3fff)}), Counts{});
  EXPECT_EQ(broken(c, {act(0, 0, 0x4000)}), (Counts{{"ROW_ADDRESS", 1}}));
  c.rowBits = 12;
  EXPECT_EQ(broken(c, {act(0, 0, 0x1000)}), (Counts{{"ROW_ADDRESS", 1}}));
}

}  // namespace
}  // namespace weir::dram::test
