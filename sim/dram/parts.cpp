// SPDX-License-Identifier: Apache-2.0
// The preset table. A part is a speed bin (core timings), a page size (tRRD, tFAW) and an organisation (rows, tRFC),
// as in the tables of the standards; the columns of those tables are the functions below.
#include <stdexcept>

#include "part.hpp"

namespace weir::dram {
namespace {

/// Core timings of a DDR3 speed bin: JESD79-3F tables 63 to 67, as repeated in the Micron 1, 2, 4 and 8 Gb datasheets.
struct Ddr3Bin {
  const char* grade;  ///< Micron's speed grade mark
  const char* bin;    ///< JEDEC's name
  std::int64_t clockPs;
  Duration tRCD, tRAS, tRC;  ///< tRP and tAA equal tRCD in all of these bins
  Duration tRRD1K, tRRD2K;   ///< page of 1 KB (x4, x8) and 2 KB (x16)
  Duration tFAW1K, tFAW2K;
  Duration tXP;
};

const Ddr3Bin kDdr3Bins[] = {
    {"25", "DDR3-800E 6-6-6", 2500, ns(15), ns(37.5), ns(52.5), atLeast(4, 10), atLeast(4, 10), ns(40), ns(50),
     atLeast(3, 7.5)},
    {"187E", "DDR3-1066F 7-7-7", 1875, ns(13.125), ns(37.5), ns(50.625), atLeast(4, 7.5), atLeast(4, 10), ns(37.5),
     ns(50), atLeast(3, 7.5)},
    {"15E", "DDR3-1333H 9-9-9", 1500, ns(13.5), ns(36), ns(49.5), atLeast(4, 6), atLeast(4, 7.5), ns(30), ns(45),
     atLeast(3, 6)},
    {"125", "DDR3-1600K 11-11-11", 1250, ns(13.75), ns(35), ns(48.75), atLeast(4, 6), atLeast(4, 7.5), ns(30), ns(40),
     atLeast(3, 6)},
    {"107", "DDR3-1866M 13-13-13", 1070, ns(13.91), ns(34), ns(47.91), atLeast(4, 5), atLeast(4, 6), ns(27), ns(35),
     atLeast(3, 6)},
};

/// Organisation of a DDR3 chip: addressing table and tRFC of its datasheet.
struct Ddr3Chip {
  const char* name;
  const char* datasheet;
  int width, rowBits;
  double tRFC;
};

const Ddr3Chip kDdr3Chips[] = {
    {"MT41J128M8JP", "Micron 1Gb DDR3 SDRAM datasheet (MT41J128M8)", 8, 14, 110},
    {"MT41J256M8", "Micron 2Gb DDR3 SDRAM datasheet (MT41J256M8)", 8, 15, 160},
    {"MT41K512M8", "Micron 4Gb DDR3L SDRAM datasheet (MT41K512M8)", 8, 16, 260},
    {"MT41K64M16", "Micron 1Gb DDR3L SDRAM datasheet (MT41K64M16)", 16, 13, 110},
    {"MT41K128M16", "Micron 2Gb DDR3L SDRAM datasheet (MT41K128M16)", 16, 14, 160},
    {"MT41K256M16", "Micron 4Gb DDR3L SDRAM datasheet (MT41K256M16)", 16, 15, 260},
    {"MT41K512M16", "Micron 8Gb DDR3L SDRAM datasheet (MT41K512M16)", 16, 16, 350},
};

Part ddr3(const Ddr3Chip& chip, const Ddr3Bin& bin) {
  const bool page2K = chip.width == 16;
  Part p;
  p.name = std::string(chip.name) + "-" + bin.grade;
  p.source = std::string(chip.datasheet) + "; JESD79-3F speed bin " + bin.bin;
  p.standard = Standard::ddr3;
  p.width = chip.width;
  p.bankGroups = 1;
  p.banksPerGroup = 8;
  p.rowBits = chip.rowBits;
  p.columnBits = 10;
  p.minimumClockPs = bin.clockPs;
  p.tAA = bin.tRCD;
  p.tRCD = bin.tRCD;
  p.tRP = bin.tRCD;
  p.tRAS = bin.tRAS;
  p.tRC = bin.tRC;
  p.tRRD_S = p.tRRD_L = page2K ? bin.tRRD2K : bin.tRRD1K;
  p.tFAW = page2K ? bin.tFAW2K : bin.tFAW1K;
  p.tCCD_S = p.tCCD_L = ck(4);
  p.tWTR_S = p.tWTR_L = atLeast(4, 7.5);
  p.tRTP = atLeast(4, 7.5);
  p.tWR = ns(15);
  p.tRTRS = ck(2);
  p.tRFC = ns(chip.tRFC);
  p.tREFI = ns(7800);
  p.tREFW = ns(64e6);
  p.tZQinit = atLeast(512, 640);
  p.tZQoper = atLeast(256, 320);
  p.tZQCS = atLeast(64, 80);
  p.tMRD = ck(4);
  p.tMOD = atLeast(12, 15);
  p.tXPR = atLeast(5, chip.tRFC + 10);
  p.tXP = bin.tXP;
  p.tDLLK = ck(512);
  return p;
}

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

/// What all DDR4 parts share.
void ddr4Common(Part& p) {
  p.standard = Standard::ddr4;
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

/// Clocks of 1600 MT/s, in which Table II gives its times.
constexpr std::int64_t kTableIIClockPs = 1250;
constexpr Duration clocks1600(int clocks) { return {clocks * kTableIIClockPs, 0}; }

/// Table II of "Rank Assignment" (service interruptions): DRAM timings in clocks of 1600 MT/s, at extended temperature
/// or, then with -normal behind its name, at normal temperature.
/// tRFC of each granularity is Table I's. Table II leaves out the organisation of its chips beyond 16 banks a rank and
/// 8 to 32 Gb: x8 with 1 KB pages here.
Part tableII(const char* capacity, int rowBits, double tRFC1, double tRFC2, double tRFC4, bool extended) {
  Part p;
  p.name = std::string("TableII-") + capacity + (extended ? "" : "-normal");
  p.source = "Rank Assignment paper, Table II; mode register, ZQ and DLL times from JESD79-4B";
  p.width = 8;
  p.bankGroups = 4;
  p.rowBits = rowBits;
  p.minimumClockPs = kTableIIClockPs;
  p.tAA = clocks1600(11);
  p.tRCD = clocks1600(11);
  p.tRP = clocks1600(11);
  p.tRAS = clocks1600(28);
  p.tRC = clocks1600(39);
  p.tRRD_S = clocks1600(4);
  p.tRRD_L = clocks1600(5);
  p.tFAW = clocks1600(20);
  p.tCCD_S = ck(4);
  p.tCCD_L = ck(5);
  p.tWTR_S = clocks1600(2);
  p.tWTR_L = clocks1600(6);
  p.tRTP = clocks1600(6);
  p.tWR = clocks1600(12);
  p.tRFC = ns(tRFC1);
  p.tRFC2 = ns(tRFC2);
  p.tRFC4 = ns(tRFC4);
  p.extendedTemperature = extended;
  p.tREFI = ns(extended ? 3900 : 7800);
  p.tREFW = ns(extended ? 32e6 : 64e6);
  p.tDLLK = ck(597);
  ddr4Common(p);
  return p;
}

/// Its PCM: eight banks, in two groups here, and slow to restore and to write. What the table leaves open, and the
/// times of refreshes that PCM never needs, are those of the DRAM of 8 Gb.
Part tableIIPcm() {
  Part p = tableII("8Gb", 16, 350, 240, 160, true);
  p.name = "TableII-PCM";
  p.width = 16;
  p.bankGroups = 2;
  p.tRAS = clocks1600(45);
  p.tRC = clocks1600(55);
  p.tWR = clocks1600(100);
  return p;
}

std::vector<Part> table() {
  std::vector<Part> all;
  for (const auto& chip : kDdr3Chips)
    for (const auto& bin : kDdr3Bins) all.push_back(ddr3(chip, bin));
  for (const auto& chip : kDdr4Chips)
    for (const auto& bin : kDdr4Bins) all.push_back(ddr4(chip, bin));
  all.push_back(tableIIPcm());
  for (const bool extended : {true, false}) {
    all.push_back(tableII("8Gb", 16, 350, 240, 160, extended));
    all.push_back(tableII("16Gb", 17, 480, 350, 240, extended));
    all.push_back(tableII("32Gb", 18, 640, 480, 350, extended));
  }
  return all;
}

}  // namespace

const std::vector<Part>& parts() {
  static const std::vector<Part> all = table();
  return all;
}

const Part& findPart(const std::string& name) {
  std::string known;
  for (const Part& part : parts()) {
    if (part.name == name) return part;
    known += " " + part.name;
  }
  throw std::invalid_argument("DRAM part '" + name + "' is not in the table; known:" + known);
}

}  // namespace weir::dram
