// SPDX-License-Identifier: Apache-2.0
// The preset table, its conversion to clocks, and what a channel's parameters may be.
#include <set>
#include <stdexcept>

#include "bench.hpp"
#include "clocks.hpp"

namespace weir::dram::test {
namespace {

Clocks at(const std::string& part, int clockPs) { return toClocks(findPart(part), clockPs); }

TEST(Parts, namesAreUniqueAndEntriesComplete) {
  std::set<std::string> names;
  for (const Part& p : parts()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.source.empty()) << p.name;
    const int clockPs = static_cast<int>(p.minimumClockPs);
    const Clocks t = toClocks(p, clockPs);
    for (const Clock clocks : {t.tRCD,    t.tRP,    t.tRAS,   t.tRC,  t.tRRD_S, t.tRRD_L, t.tFAW, t.tCCD_S,
                               t.tCCD_L,  t.tWTR_S, t.tWTR_L, t.tRTP, t.tWR,    t.tRTRS,  t.tRFC, t.tZQinit,
                               t.tZQoper, t.tZQCS,  t.tMRD,   t.tMOD, t.tXPR,   t.tXP,    t.tDLLK})
      EXPECT_GT(clocks, 0) << p.name;
    EXPECT_LE(t.tRRD_S, t.tRRD_L) << p.name;
    EXPECT_LE(t.tCCD_S, t.tCCD_L) << p.name;
    EXPECT_LE(t.tWTR_S, t.tWTR_L) << p.name;
    EXPECT_LE(t.tRC, t.tRAS + t.tRP) << p.name;
    // Capacity: banks x rows x columns x width is the power of two that tRFC goes with.
    const std::int64_t megabits = (std::int64_t{p.banks() * p.width} << (p.rowBits + p.columnBits)) >> 20;
    const std::map<std::int64_t, std::set<std::int64_t>> tRFC = {{1024, {110}}, {2048, {160}},       {4096, {260}},
                                                                 {8192, {350}}, {16384, {480, 295}}, {32768, {640}}};
    ASSERT_EQ(tRFC.count(megabits), 1u) << p.name << " has " << megabits << " Mb";
    EXPECT_EQ(tRFC.at(megabits).count(p.tRFC.picoseconds / 1000), 1u) << p.name;
  }
}

TEST(Parts, ddr3_1600K_x8) {
  const Clocks t = at("MT41J128M8JP-125", 1250);
  EXPECT_EQ(t.tRCD, 11);
  EXPECT_EQ(t.tRP, 11);
  EXPECT_EQ(t.tRAS, 28);
  EXPECT_EQ(t.tRC, 39);
  EXPECT_EQ(t.tRRD_S, 5);
  EXPECT_EQ(t.tFAW, 24);
  EXPECT_EQ(t.tRFC, 88);
  EXPECT_EQ(t.tWR, 12);
  EXPECT_EQ(t.tWTR_S, 6);
  EXPECT_EQ(t.tRTP, 6);
}

TEST(Parts, ddr3_1600K_x16) {
  const Clocks t = at("MT41K256M16-125", 1250);
  EXPECT_EQ(t.tRRD_S, 6);
  EXPECT_EQ(t.tFAW, 32);
  EXPECT_EQ(t.tRFC, 208);
}

TEST(Parts, slowDdr3) {
  const Clocks t1066 = at("MT41K64M16-187E", 1875);
  EXPECT_EQ(t1066.tRCD, 7);
  EXPECT_EQ(t1066.tRAS, 20);
  EXPECT_EQ(t1066.tRC, 27);
  EXPECT_EQ(t1066.tRRD_S, 6);
  EXPECT_EQ(t1066.tFAW, 27);
  EXPECT_EQ(t1066.tWTR_S, 4);
  const Clocks t800 = at("MT41K128M16-25", 2500);
  EXPECT_EQ(t800.tRCD, 6);
  EXPECT_EQ(t800.tRC, 21);
  EXPECT_EQ(t800.tFAW, 20);
  // An ECP5 board's 300 MT/s: minimum clocks rule.
  const Clocks slow = at("MT41K256M16-125", 6667);
  EXPECT_EQ(slow.tRCD, 3);
  EXPECT_EQ(slow.tRRD_S, 4);
  EXPECT_EQ(slow.tWTR_S, 4);
  EXPECT_EQ(slow.tZQCS, 64);
}

TEST(Parts, ddr3_1866M) {
  const Clocks t = at("MT41K256M16-107", 1071);
  EXPECT_EQ(t.tRCD, 13);
  EXPECT_EQ(t.tRAS, 32);
  EXPECT_EQ(t.tRC, 45);
  EXPECT_EQ(t.tRRD_S, 6);
  EXPECT_EQ(t.tFAW, 33);
}

TEST(Parts, ddr4_2133_x8) {
  const Clocks t = at("MT40A1G8-093E", 937);
  EXPECT_EQ(t.tRCD, 15);
  EXPECT_EQ(t.tRAS, 36);
  EXPECT_EQ(t.tRC, 51);
  EXPECT_EQ(t.tRRD_S, 4);
  EXPECT_EQ(t.tRRD_L, 6);
  EXPECT_EQ(t.tFAW, 23);
  EXPECT_EQ(t.tCCD_L, 6);
  EXPECT_EQ(t.tWR, 16);
}

TEST(Parts, ddr4_3200_x16) {
  const Clocks t = at("MT40A512M16-062E", 625);
  EXPECT_EQ(t.tRCD, 22);
  EXPECT_EQ(t.tRAS, 52);
  EXPECT_EQ(t.tRC, 74);
  EXPECT_EQ(t.tRRD_S, 9);
  EXPECT_EQ(t.tRRD_L, 11);
  EXPECT_EQ(t.tFAW, 48);
  EXPECT_EQ(t.tCCD_L, 8);
  EXPECT_EQ(t.tWTR_S, 4);
  EXPECT_EQ(t.tWTR_L, 12);
  EXPECT_EQ(t.tWR, 24);
  EXPECT_EQ(t.tRFC, 560);
}

TEST(Parts, tableII) {
  const Clocks t = at("TableII-32Gb", 1250);
  EXPECT_EQ(t.tRC, 39);
  EXPECT_EQ(t.tRAS, 28);
  EXPECT_EQ(t.tRCD, 11);
  EXPECT_EQ(t.tRP, 11);
  EXPECT_EQ(t.tRRD_S, 4);
  EXPECT_EQ(t.tRRD_L, 5);
  EXPECT_EQ(t.tFAW, 20);
  EXPECT_EQ(t.tWR, 12);
  EXPECT_EQ(t.tWTR_S, 2);
  EXPECT_EQ(t.tWTR_L, 6);
  EXPECT_EQ(t.tRTP, 6);
  EXPECT_EQ(t.tCCD_S, 4);
  EXPECT_EQ(t.tCCD_L, 5);
  EXPECT_EQ(t.tRTRS, 2);
  EXPECT_EQ(t.tRFC, 512);
}

TEST(Parts, tableIIPcm) {
  const Clocks t = at("TableII-PCM", 1250);
  EXPECT_EQ(t.tRC, 55);
  EXPECT_EQ(t.tRAS, 45);
  EXPECT_EQ(t.tRCD, 11);
  EXPECT_EQ(t.tWR, 100);
  EXPECT_EQ(t.tRRD_S, 4);
  EXPECT_EQ(findPart("TableII-PCM").banks(), 8);
}

TEST(Parts, rounding) {
  EXPECT_EQ(toClocks(ns(15), kDdr3, 833), 19);
  EXPECT_EQ(toClocks(ns(15), kDdr4, 833), 18);
  EXPECT_EQ(toClocks(ns(15.1), kDdr4, 833), 19);
  EXPECT_EQ(toClocks(ns(13.75), kDdr3, 1250), 11);
  EXPECT_EQ(toClocks(atLeast(4, 7.5), kDdr3, 2500), 4);
}

/// What a bad channel is refused with.
std::string refusal(const std::function<void(Config&)>& alter) {
  Config c = ddr3();
  alter(c);
  try {
    Dram dram(c);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Parts, badParametersAreNamed) {
  EXPECT_EQ(refusal([](Config&) {}), "accepted");
  EXPECT_NE(refusal([](Config& c) { c.part = "MT41"; }).find("DRAM part 'MT41' is not in the table; known: MT41J128"),
            std::string::npos);
  EXPECT_EQ(refusal([](Config& c) { c.ranks = 5; }), "DRAM model 'dram': RANKS = 5: must be 1 to 4");
  EXPECT_EQ(refusal([](Config& c) { c.bankBits = 4; }), "DRAM model 'dram': BANK_BITS = 4: must be 1 to 3");
  EXPECT_EQ(refusal([](Config& c) { c.bankBits = 2; }), "accepted");
  EXPECT_EQ(refusal([](Config& c) { c.rowBits = 15; }), "DRAM model 'dram': ROW_BITS = 15: must be 1 to 14");
  EXPECT_EQ(refusal([](Config& c) { c.columnBits = 11; }), "DRAM model 'dram': COLUMN_BITS = 11: must be 3 to 10");
  EXPECT_EQ(refusal([](Config& c) { c.addressPins = 13; }), "DRAM model 'dram': ADDRESS_PINS = 13: must be 14 to 32");
  EXPECT_EQ(refusal([](Config& c) { c.dq = 128; }), "DRAM model 'dram': DQ = 128: must be 8 to 64");
  EXPECT_EQ(refusal([](Config& c) { c.dq = 24; }),
            "DRAM model 'dram': DQ = 24: must be a power of two and a multiple of the 8 data pins of MT41J128M8JP-125");
  EXPECT_EQ(refusal([](Config& c) { c.phases = 3; }), "DRAM model 'dram': PHASES = 3: must be 1, 2 or 4");
  EXPECT_EQ(refusal([](Config& c) { c.readPhase = 1; }), "DRAM model 'dram': READ_PHASE = 1: must be 0 to 0");
  EXPECT_EQ(refusal([](Config& c) { c.writePhase = 1; }), "DRAM model 'dram': WRITE_PHASE = 1: must be 0 to 0");
  EXPECT_EQ(refusal([](Config& c) { c.clockPs = 1249; }), "DRAM model 'dram': TCK_PS = 1249: must be 1250 to 1000000");
  EXPECT_EQ(refusal([](Config& c) { c.cl = 10; }),
            "DRAM model 'dram': CL = 10 clocks of 1250 ps: less than tAA = 13750 ps of MT41J128M8JP-125");
  EXPECT_EQ(refusal([](Config& c) { c.cwl = 12; }), "DRAM model 'dram': CWL = 12: must be 1 to 11");
  EXPECT_EQ(refusal([](Config& c) { c.readLatency = 14; }), "DRAM model 'dram': READ_LATENCY = 14: must be 15 to 63");
  EXPECT_EQ(refusal([](Config& c) { c.writeLatency = 9; }), "DRAM model 'dram': WRITE_LATENCY = 9: must be 0 to 8");
}

}  // namespace
}  // namespace weir::dram::test
