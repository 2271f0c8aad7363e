// SPDX-License-Identifier: Apache-2.0
/// @file
/// The YAML file that describes a machine.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "cache/hierarchy.hpp"
#include "core/out_of_order.hpp"

namespace weir::lab {

/// A system file that cannot be used; the message names file, line, field, value and limit.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct System {
  unsigned cores, clockRatio;
  OutOfOrderConfig core;
  HierarchyConfig caches;
  bool ideal;  // memory, instead of Weir
  bool writesDropped;
  unsigned idealCycles;
  uint64_t base;  // address of the traces that is the first byte of memory
};

/// Read a system file (systems/rank-assignment.yaml has the fields). Every field must be there, and no other. Throws
/// SystemError.
System readSystem(const std::string& path);

}  // namespace weir::lab
