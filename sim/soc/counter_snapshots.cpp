// SPDX-License-Identifier: Apache-2.0
#include "counter_snapshots.hpp"

namespace weir::soc {

namespace {

bool latched = false;

}  // namespace

void CounterSnapshots::observe(uint64_t cycle, dram::Dram& dram) {
  if (!latched) return;
  latched = false;
  all_.push_back({cycle, dram.statistics()});
}

}  // namespace weir::soc

// Called by counter_snapshots.sv.
extern "C" void counters_latched() { weir::soc::latched = true; }
