// SPDX-License-Identifier: Apache-2.0
/// @file
/// Points in time and lengths of time, in DRAM clocks.
#pragma once

#include <cstdint>

namespace weir::dram {

/// A point in time or a length of time, in DRAM clocks (tCK) since the start of the simulation.
/// A controller cycle spans Config::phases of them: clock = cycle * phases + phase.
using Clock = std::int64_t;

/// A point in time before every rule's reach: "has not happened yet".
constexpr Clock kNever = -(Clock{1} << 50);

/// A point in time that no simulation reaches: "not awaited".
constexpr Clock kForever = Clock{1} << 50;

}  // namespace weir::dram
