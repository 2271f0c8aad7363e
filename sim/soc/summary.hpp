// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counter_snapshots.hpp"
#include "dram.hpp"
#include "marks.hpp"
#include "page_walks.hpp"
#include "power_cuts.hpp"
#include "slow_time.hpp"

namespace weir::soc {

/// How a run ended, for programs: --summary.
struct Summary {
  uint64_t first_cycle;                ///< with which the run began: 0, or that of the snapshot
  uint64_t cycles;                     ///< since the machine was switched on
  std::vector<uint64_t> instructions;  ///< that each hart has retired since then
  PageWalks walks;
  SlowTime::Counts slowed;
  int exit_code;
  std::string why;       ///< it ended, a sentence
  double start_seconds;  ///< from the start of the program to the first cycle
  double seconds;        ///< from there to the end
  uint64_t violations;   ///< broken rules that the DRAM model has seen
  std::vector<Mark> marks;
  std::vector<CounterSnapshot> counter_snapshots;
  std::vector<PowerCut> cuts;
};

/// The summary and the counts of the DRAM model as a JSON object of one line; `dram` has what
/// dram::Statistics::json() says, `marks` the cycle of each text, null for one that was not seen. `page_walks` has the
/// walks of each hart for each TLB and what they read, `slowed` what of the cycles, instructions and walks of this run
/// were while the memory's clock was divided; `counter_snapshots` the cycle of each snapshot of Weir's counters in this
/// run and the counts of the DRAM model until then; `cuts` the cycle of each power cut that was looked at and the
/// `console_bytes` of this run until then.
std::string json(const Summary& summary, const dram::Statistics& statistics);

}  // namespace weir::soc
