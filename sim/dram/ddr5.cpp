// SPDX-License-Identifier: Apache-2.0
// DDR5: what JESD79-5 says, and its part.
#include "part_tables.hpp"

namespace weir::dram {
namespace {

/// "Rounding definitions and algorithms": 0.3 % of the time is forgiven, and what is left rounded up.
Clock covering(std::int64_t picoseconds, int clockPs, std::int64_t timeScale) {
  if (picoseconds == 0) return 0;
  return timeScale * ((picoseconds * 997 / clockPs + 1000) / 1000);
}

const Standard kDdr5{
    "DDR5", covering,
    16,     // BL16
    4,      // CL - CWL + RBL/2 + 2 tCK + tWPRE - (tRPST - 0.5 tCK), preamble two clocks, postamble half a clock
    2,      // ACT, RD and WR have two cycles of CA
    4,      // REFab; with fine granularity eight of half the size
    true,   // REFsb
    false,  // termination follows the commands
    false};

/// 16 Gb x16: four bank groups of four banks, pages of 2 KB; speed bin DDR5-3200BN 26-26-26.
Part x16Of16Gb() {
  Part p;
  p.name = "DDR5-16Gb-x16-3200BN";
  p.source =
      "JESD79-5: addressing of 16 Gb, refresh parameters by density, speed bin and timing parameters of DDR5-3200";
  p.standard = &kDdr5;
  p.width = 16;
  p.bankGroups = 4;
  p.banksPerGroup = 4;
  p.rowBits = 16;
  p.columnBits = 10;
  p.minimumClockPs = 625;
  p.tAA = p.tRCD = p.tRP = ns(16.25);
  p.tRAS = ns(32);
  p.tRC = ns(48.25);
  p.tRRD_S = ck(8);
  p.tRRD_L = atLeast(8, 5);
  p.tFAW = atLeast(40, 25);
  p.tCCD_S = ck(8);
  p.tCCD_L = atLeast(8, 5);
  p.tCCD_L_WR = atLeast(32, 20);
  p.tWTR_S = atLeast(4, 2.5);
  p.tWTR_L = atLeast(16, 10);
  p.tRTP = atLeast(12, 7.5);
  p.tWR = ns(30);
  p.tRTRS = ck(2);
  p.tRFC = ns(295);
  p.tRFC2 = ns(160);
  p.tRFCsb = ns(130);
  p.tREFSBRD = ns(30);
  p.tPPD = ck(2);
  p.tREFI = ns(3900);
  p.tREFW = ns(32e6);
  p.tZQinit = p.tZQoper = p.tZQCS = ns(30);
  p.tMRD = atLeast(16, 14);
  p.tMOD = atLeast(32, 14);
  p.tXPR = ns(305);
  p.tXP = atLeast(8, 7.5);
  p.tDLLK = ck(1024);
  return p;
}

}  // namespace

std::vector<Part> ddr5Parts() { return {x16Of16Gb()}; }

}  // namespace weir::dram
