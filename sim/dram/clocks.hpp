// SPDX-License-Identifier: Apache-2.0
/// @file
/// A part's timings converted to clocks.
#pragma once

#include "part.hpp"
#include "time.hpp"

namespace weir::dram {

/// Timings of Part in DRAM clocks at one clock period; the names are those of Part.
struct Clocks {
  Clock tRCD, tRP, tRAS, tRC, tRRD_S, tRRD_L, tFAW, tCCD_S, tCCD_L, tWTR_S, tWTR_L, tRTP, tWR, tRTRS;
  Clock tRFC, tRFC2, tRFC4;
  Clock tZQinit, tZQoper, tZQCS, tMRD, tMOD, tXPR, tXP, tDLLK;
};

/// Clocks that cover a minimum time: rounded up for DDR3 (JESD79-3F, "nCK = RU(t / tCK)"); for DDR4 by the rounding
/// algorithm of JESD79-4B section 13.4, which forgives 2.5 % of a clock because tCK itself is rounded down to
/// picoseconds there.
/// @param timeScale how many times longer the time is; what is forgiven grows with it, so that the result is never
/// above
///   as many times the clocks of the time itself
Clock toClocks(const Duration& duration, Standard standard, int clockPs, int timeScale = 1);

/// All timings of a part at a clock period in picoseconds.
/// @param timeScale how many times slower the memory is: those of the initialisation (tZQinit, tMRD, tMOD, tXPR, tDLLK)
///   stay as they are
Clocks toClocks(const Part& part, int clockPs, int timeScale = 1);

}  // namespace weir::dram
