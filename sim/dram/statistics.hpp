// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the model has seen.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "command.hpp"

namespace weir::dram {

/// Counts since the start of the simulation.
struct Statistics {
  std::uint64_t cycles = 0;   ///< controller cycles
  std::uint64_t ignored = 0;  ///< commands without effect: before power-up, without CKE, in reset
  std::vector<std::array<std::uint64_t, kCommands>> commands;  ///< by rank, then by Command

  std::uint64_t of(int rank, Command command) const {
    return commands[static_cast<std::size_t>(rank)][static_cast<std::size_t>(command)];
  }
};

}  // namespace weir::dram
