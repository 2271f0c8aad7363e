// SPDX-License-Identifier: Apache-2.0
// DDR4: what JESD79-4B says, and its parts.
#include "part_tables.hpp"

namespace weir::dram {
namespace {

/// Core timings of a DDR4 speed bin: JESD79-4B speed bin tables and timing parameters by speed grade, as repeated in
/// the Micron 4 and 8 Gb DDR4 datasheets.
struct Ddr4Bin {
  const char* grade;
  const char* bin;
  std::int64_t clockPs;
  Duration tRCD, tRAS, tRC;
  Duration tRRD_S1K, tRRD_L1K, tRRD_S2K, tRRD_L2K;
  Duration tFAW1K, tFAW2K;
  Duration tCCD_L;
  Duration tDLLK;
};

const Ddr4Bin kDdr4Bins[] = {
    {"125", "DDR4-1600K 11-11-11", 1250, ns(13.75), ns(35), ns(48.75), atLeast(4, 5), atLeast(4, 6), atLeast(4, 6),
     atLeast(4, 7.5), atLeast(20, 25), atLeast(28, 35), atLeast(5, 6.25), ck(597)},
    {"093E", "DDR4-2133P 15-15-15", 937, ns(14.06), ns(33), ns(47.06), atLeast(4, 3.7), atLeast(4, 5.3),
     atLeast(4, 5.3), atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5.355), ck(768)},
    {"083E", "DDR4-2400R 16-16-16", 833, ns(13.32), ns(32), ns(45.32), atLeast(4, 3.3), atLeast(4, 4.9),
     atLeast(4, 5.3), atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5), ck(768)},
    {"083", "DDR4-2400T 17-17-17", 833, ns(14.16), ns(32), ns(46.16), atLeast(4, 3.3), atLeast(4, 4.9), atLeast(4, 5.3),
     atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5), ck(768)},
    {"075E", "DDR4-2666U 18-18-18", 750, ns(13.5), ns(32), ns(45.5), atLeast(4, 3), atLeast(4, 4.9), atLeast(4, 5.3),
     atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5), ck(854)},
    {"075", "DDR4-2666V 19-19-19", 750, ns(14.25), ns(32), ns(46.25), atLeast(4, 3), atLeast(4, 4.9), atLeast(4, 5.3),
     atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5), ck(854)},
    {"062E", "DDR4-3200AA 22-22-22", 625, ns(13.75), ns(32), ns(45.75), atLeast(4, 2.5), atLeast(4, 4.9),
     atLeast(4, 5.3), atLeast(4, 6.4), atLeast(20, 21), atLeast(28, 30), atLeast(5, 5), ck(1024)},
};

/// Organisation of a DDR4 chip: x16 has two bank groups and pages of 2 KB, x8 four and pages of 1 KB.
struct Ddr4Chip {
  const char* name;
  const char* datasheet;
  int width, rowBits;
  double tRFC1, tRFC2, tRFC4;  ///< of the density: JESD79-4B 4.9.2, table of tREFI and tRFC parameters
};

const Ddr4Chip kDdr4Chips[] = {
    {"EDY4016A", "Micron 4Gb DDR4 SDRAM datasheet (EDY4016A)", 16, 15, 260, 160, 110},
    {"MT40A256M16", "Micron 4Gb DDR4 SDRAM datasheet (MT40A256M16)", 16, 15, 260, 160, 110},
    {"MT40A512M8", "Micron 4Gb DDR4 SDRAM datasheet (MT40A512M8)", 8, 15, 260, 160, 110},
    {"MT40A512M16", "Micron 8Gb DDR4 SDRAM datasheet (MT40A512M16)", 16, 16, 350, 260, 160},
    {"MT40A1G8", "Micron 8Gb DDR4 SDRAM datasheet (MT40A1G8)", 8, 16, 350, 260, 160},
};

Part ddr4(const Ddr4Chip& chip, const Ddr4Bin& bin) {
  const bool page2K = chip.width == 16;
  Part p;
  p.name = std::string(chip.name) + "-" + bin.grade;
  p.source = std::string(chip.datasheet) + "; JESD79-4B speed bin " + bin.bin;
  p.width = chip.width;
  p.bankGroups = page2K ? 2 : 4;
  p.rowBits = chip.rowBits;
  p.minimumClockPs = bin.clockPs;
  p.tAA = bin.tRCD;
  p.tRCD = bin.tRCD;
  p.tRP = bin.tRCD;
  p.tRAS = bin.tRAS;
  p.tRC = bin.tRC;
  p.tRRD_S = page2K ? bin.tRRD_S2K : bin.tRRD_S1K;
  p.tRRD_L = page2K ? bin.tRRD_L2K : bin.tRRD_L1K;
  p.tFAW = page2K ? bin.tFAW2K : bin.tFAW1K;
  p.tCCD_S = ck(4);
  p.tCCD_L = bin.tCCD_L;
  p.tWTR_S = atLeast(2, 2.5);
  p.tWTR_L = atLeast(4, 7.5);
  p.tRTP = atLeast(4, 7.5);
  p.tWR = ns(15);
  p.tRFC = ns(chip.tRFC1);
  p.tRFC2 = ns(chip.tRFC2);
  p.tRFC4 = ns(chip.tRFC4);
  p.tREFI = ns(7800);
  p.tREFW = ns(64e6);
  p.tDLLK = bin.tDLLK;
  ddr4Common(p);
  return p;
}

/// The rounding algorithm of section 13.4, which forgives 2.5 % of a clock because tCK itself is rounded down to
/// picoseconds.
Clock covering(std::int64_t picoseconds, int clockPs, std::int64_t timeScale) {
  return (timeScale * (picoseconds * 1000 / clockPs - 25) + 999) / 1000;
}

}  // namespace

const Standard kDdr4{"DDR4", covering};

void ddr4Common(Part& p) {
  p.standard = &kDdr4;
  p.banksPerGroup = 4;
  p.columnBits = 10;
  p.tRTRS = ck(2);
  p.tZQinit = ck(1024);
  p.tZQoper = ck(512);
  p.tZQCS = ck(128);
  p.tMRD = ck(8);
  p.tMOD = atLeast(24, 15);
  p.tXPR = {p.tRFC.picoseconds + ns(10).picoseconds, 5};
  p.tXP = atLeast(4, 6);
}

std::vector<Part> ddr4Parts() {
  std::vector<Part> all;
  for (const auto& chip : kDdr4Chips)
    for (const auto& bin : kDdr4Bins) all.push_back(ddr4(chip, bin));
  return all;
}

}  // namespace weir::dram
