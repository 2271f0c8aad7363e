// SPDX-License-Identifier: Apache-2.0
/// @file
/// Accesses of Weir's registers over AXI4-Lite.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "axi.hpp"

namespace weir::bench {

/// One access at a time, as long as it takes. What else goes on meanwhile is for the caller, who runs the cycles.
class Registers {
 public:
  /// One controller cycle, in which the pins are applied, and shown as they stand before its rising edge.
  using Cycle = std::function<void()>;

  Registers(AxiLitePins& pins, Cycle cycle);

  /// Throws std::runtime_error when no answer comes.
  Resp write(uint64_t address, uint32_t value);
  /// Throws std::runtime_error when no answer comes, or another than OKAY.
  uint32_t read(uint64_t address);

 private:
  const AxiLitePins::Response& answer(uint64_t address, const AxiLitePins::Response& response);

  AxiLitePins& pins_;
  const Cycle cycle_;
};

/// The writes that an option `--registers` asks for, ADDRESS=VALUE with commas between. Throws std::invalid_argument
/// for an address that is no multiple of 4 below `bytes`, or a value of more than 32 bits.
std::vector<std::pair<uint64_t, uint64_t>> registerWrites(const std::string& text, uint64_t bytes);

}  // namespace weir::bench
