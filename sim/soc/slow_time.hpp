// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "page_walks.hpp"

namespace weir::soc {

/// What happened of a run while the memory's clock was divided.
class SlowTime {
 public:
  struct Counts {
    uint64_t cycles = 0;
    HartCounts instructions;  ///< that each hart has retired
    PageWalks walks;
  };

  /// To be called after each cycle. @param divided whether the memory's clock is; @param cycle since power-on
  void observe(bool divided, uint64_t cycle) {
    if (divided == divided_) return;
    turn(cycle);
  }

  /// What was counted until `cycle`.
  const Counts& counts(uint64_t cycle) {
    if (divided_) {
      turn(cycle);
      turn(cycle);
    }
    return counts_;
  }

 private:
  void turn(uint64_t cycle);

  bool divided_ = false;
  Counts counts_;
  Counts before_;
};

}  // namespace weir::soc
