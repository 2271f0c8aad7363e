// SPDX-License-Identifier: Apache-2.0
/// @file
/// Accesses of Weir's registers over AXI4-Lite.
#pragma once

#include <cstdint>
#include <functional>

#include "axi.hpp"

namespace weir::traffic {

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

}  // namespace weir::traffic
