// SPDX-License-Identifier: Apache-2.0
// DDR3: what JESD79-3F says, and its parts.
#include "part_tables.hpp"

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
  p.standard = &kDdr3;
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

/// "nCK = RU(t / tCK)".
Clock covering(std::int64_t picoseconds, int clockPs, std::int64_t timeScale) {
  return (timeScale * picoseconds + clockPs - 1) / clockPs;
}

}  // namespace

const Standard kDdr3{"DDR3", covering};

std::vector<Part> ddr3Parts() {
  std::vector<Part> all;
  for (const auto& chip : kDdr3Chips)
    for (const auto& bin : kDdr3Bins) all.push_back(ddr3(chip, bin));
  return all;
}

}  // namespace weir::dram
