// SPDX-License-Identifier: Apache-2.0
#include "retirement.hpp"

namespace weir::soc {

HartCounts& retired() {
  static HartCounts counts;
  return counts;
}

}  // namespace weir::soc

// Called by retirement.sv.
extern "C" void hart_retired(int hart) { weir::soc::add(weir::soc::retired(), hart, 1); }
