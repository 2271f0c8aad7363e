// SPDX-License-Identifier: Apache-2.0
// The memory of Table II of "Rank Assignment".
#include "part_tables.hpp"

namespace weir::dram {
namespace {

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

}  // namespace

std::vector<Part> tableIIParts() {
  std::vector<Part> all;
  all.push_back(tableIIPcm());
  for (const bool extended : {true, false}) {
    all.push_back(tableII("8Gb", 16, 350, 240, 160, extended));
    all.push_back(tableII("16Gb", 17, 480, 350, 240, extended));
    all.push_back(tableII("32Gb", 18, 640, 480, 350, extended));
  }
  return all;
}

}  // namespace weir::dram
