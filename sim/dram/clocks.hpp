// SPDX-License-Identifier: Apache-2.0
/// @file
/// A part's timings converted to clocks.
#pragma once

#include "part.hpp"
#include "time.hpp"

namespace weir::dram {

/// Timings of Part in DRAM clocks at one clock period; the names are those of Part.
struct Clocks {
  Clock tRCD, tRP, tRAS, tRC, tRRD_S, tRRD_L, tFAW, tCCD_S, tCCD_L, tCCD_L_WR, tWTR_S, tWTR_L, tRTP, tWR, tRTRS;
  Clock tRFC, tRFC2, tRFC4, tRFCsb, tREFSBRD, tPPD;
  Clock tZQinit, tZQoper, tZQCS, tMRD, tMOD, tXPR, tXP, tDLLK;
};

/// Clocks that cover a minimum time, rounded as the standard asks.
/// @param timeScale how many times longer the time is; what is forgiven grows with it, so that the result is never
/// above
///   as many times the clocks of the time itself
Clock toClocks(const Duration& duration, const Standard& standard, int clockPs, int timeScale = 1);

/// All timings of a part at a clock period in picoseconds.
/// @param timeScale how many times slower the memory is: those of the initialisation (tZQinit, tMRD, tMOD, tXPR, tDLLK)
///   stay as they are
Clocks toClocks(const Part& part, int clockPs, int timeScale = 1);

}  // namespace weir::dram
