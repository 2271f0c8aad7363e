// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hart_counts.hpp"

namespace weir::soc {

/// Instructions that each hart has retired since the start of the simulation; retirement.sv counts them here. One
/// process simulates one SoC.
HartCounts& retired();

}  // namespace weir::soc
