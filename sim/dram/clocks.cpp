// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <algorithm>

namespace weir::dram {

Clock toClocks(const Duration& duration, const Standard& standard, int clockPs, int timeScale) {
  const std::int64_t scale = timeScale;
  return std::max<Clock>(standard.covering(duration.picoseconds, clockPs, scale), scale * duration.clocks);
}

Clocks toClocks(const Part& part, int clockPs, int timeScale) {
  const auto at = [&](const Duration& d) { return toClocks(d, *part.standard, clockPs, timeScale); };
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
  t.tCCD_L_WR = at(part.tCCD_L_WR);
  t.tWTR_S = at(part.tWTR_S);
  t.tWTR_L = at(part.tWTR_L);
  t.tRTP = at(part.tRTP);
  t.tWR = at(part.tWR);
  t.tRTRS = at(part.tRTRS);
  t.tRFC = at(part.tRFC);
  t.tRFC2 = at(part.tRFC2);
  t.tRFC4 = at(part.tRFC4);
  t.tRFCsb = at(part.tRFCsb);
  t.tREFSBRD = at(part.tREFSBRD);
  t.tPPD = at(part.tPPD);
  t.tZQoper = at(part.tZQoper);
  t.tZQCS = at(part.tZQCS);
  t.tXP = at(part.tXP);
  // The firmware initialises the chips as they are.
  const auto unscaled = [&](const Duration& d) { return toClocks(d, *part.standard, clockPs); };
  t.tZQinit = unscaled(part.tZQinit);
  t.tMRD = unscaled(part.tMRD);
  t.tMOD = unscaled(part.tMOD);
  t.tXPR = unscaled(part.tXPR);
  t.tDLLK = unscaled(part.tDLLK);
  return t;
}

}  // namespace weir::dram
