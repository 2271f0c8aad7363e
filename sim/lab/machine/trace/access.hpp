// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a trace is made of.
#pragma once

#include <cstdint>

namespace weir::lab {

/// An access to memory of a program, and the instructions before it.
struct Access {
  /// Instructions that touch no memory between the access before and this one.
  uint32_t before = 0;
  bool write = false;
  /// Bytes, a power of two.
  uint8_t bytes = 8;
  /// log2 of the bytes of the page that the address is in; 0 where the trace does not tell.
  uint8_t pageShift = 0;
  /// How many loads back the one is that this access's address comes from: 1 is the load before it; 0 is none.
  uint32_t dependsOn = 0;
  /// Whether the access is an instruction of its own. A load and a store of one line of a SimpleO3 trace are both.
  bool instruction = true;
  uint64_t physical = 0;
  /// 0 where the trace does not tell.
  uint64_t virtualAddress = 0;
};

}  // namespace weir::lab
