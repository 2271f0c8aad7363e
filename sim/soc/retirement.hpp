// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::soc {

/// Instructions that each hart has retired since the start of the simulation, by hart id; retirement.sv counts them
/// here. A hart is known from its first instruction on. One process simulates one SoC.
std::vector<uint64_t>& retired();

}  // namespace weir::soc
