// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <algorithm>

namespace weir::dram {

Clock toClocks(const Duration& duration, Standard standard, int clockPs) {
  const Clock rounded = standard == Standard::ddr3 ? (duration.picoseconds + clockPs - 1) / clockPs
                                                   : (duration.picoseconds * 1000 / clockPs + 974) / 1000;
  return std::max<Clock>(rounded, duration.clocks);
}

Clocks toClocks(const Part& part, int clockPs) {
  const auto at = [&](const Duration& d) { return toClocks(d, part.standard, clockPs); };
  Clocks t;
  t.tRCD = at(part.tRCD);
  t.tRP = at(part.tRP);
  t.tRAS = at(part.tRAS);
  t.tRC = at(part.tRC);
  t.tRRD_S = at(part.tRRD_S);
  t.tRRD_L = at(part.tRRD_L);
  t.tFAW = at(part.tFAW);
  t.tCCD_S = at(part.tCCD_S);
  t.tCCD_L = at(part.tCCD_L);
  t.tWTR_S = at(part.tWTR_S);
  t.tWTR_L = at(part.tWTR_L);
  t.tRTP = at(part.tRTP);
  t.tWR = at(part.tWR);
  t.tRTRS = at(part.tRTRS);
  t.tRFC = at(part.tRFC);
  t.tRFC2 = at(part.tRFC2);
  t.tRFC4 = at(part.tRFC4);
  t.tZQinit = at(part.tZQinit);
  t.tZQoper = at(part.tZQoper);
  t.tZQCS = at(part.tZQCS);
  t.tMRD = at(part.tMRD);
  t.tMOD = at(part.tMOD);
  t.tXPR = at(part.tXPR);
  t.tXP = at(part.tXP);
  t.tDLLK = at(part.tDLLK);
  return t;
}

}  // namespace weir::dram
