// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dram.hpp"

namespace weir::soc {

/// A range of memory; the address is counted from the first byte of DRAM.
struct MemoryRange {
  uint64_t address;
  uint64_t bytes;
};

/// A cycle in which the power could have been cut.
struct PowerCut {
  uint64_t cycle;
  uint64_t console_bytes;  ///< that this run had printed until then
};

/// Writes down what power cuts would leave in a range of memory, in a run that goes on: a look at the cells, which
/// takes none of what waits in caches, queues and on the bus.
class PowerCuts {
 public:
  /// @param cycles ends of so many cycles since power-on, in any order; twice counts once
  /// @param folder where the files go, each named CYCLE.cells
  PowerCuts(std::vector<uint64_t> cycles, MemoryRange range, std::string folder);

  /// Looks at the cells if the power is cut at the end of so many cycles. Cycles that have gone by already are left
  /// out.
  /// @throws std::runtime_error naming a file that cannot be written
  void observe(uint64_t cycle, uint64_t console_bytes, dram::Dram& dram);

  /// Those until now.
  const std::vector<PowerCut>& all() const { return all_; }

 private:
  std::vector<uint64_t> cycles_;
  MemoryRange range_;
  std::string folder_;
  std::size_t next_ = 0;
  std::vector<PowerCut> all_;
};

}  // namespace weir::soc
