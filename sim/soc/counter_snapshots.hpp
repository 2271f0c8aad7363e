// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "dram.hpp"

namespace weir::soc {

/// A snapshot of Weir's counters: the cycle of the hart's clock in which they were copied, and what the DRAM model had
/// counted until then.
struct CounterSnapshot {
  uint64_t cycle;
  dram::Statistics statistics;
};

/// The snapshots of this run.
class CounterSnapshots {
 public:
  /// Looks whether the cycle that has ended had a snapshot; to be called after each.
  void observe(uint64_t cycle, dram::Dram& dram);

  const std::vector<CounterSnapshot>& all() const { return all_; }

 private:
  std::vector<CounterSnapshot> all_;
};

}  // namespace weir::soc
