// SPDX-License-Identifier: Apache-2.0
/// @file
/// The lab's own format: records of 24 bytes, little-endian, after a header of 16.
#pragma once

#include <cstdint>

#include "access.hpp"

namespace weir::lab {

constexpr char kPackedMagic[16] = "weir-trace-1\n\n\n";

/// An Access as the file has it.
struct PackedAccess {
  static constexpr uint32_t kMostBefore = UINT32_MAX;
  static constexpr uint16_t kMostBack = UINT16_MAX;

  uint32_t before;
  uint16_t dependsOn;
  uint8_t kind;  // bit 0 write, bit 1 no instruction of its own, bits 7:4 log2 of the bytes
  uint8_t pageShift;
  uint64_t physical, virtualAddress;

  /// An address that comes from farther back than the format can say comes from nowhere: that load is done.
  static PackedAccess of(const Access& access) {
    PackedAccess packed{};
    packed.before = access.before;
    packed.dependsOn = access.dependsOn > kMostBack ? 0 : static_cast<uint16_t>(access.dependsOn);
    packed.kind =
        static_cast<uint8_t>((access.write ? 1 : 0) | (access.instruction ? 0 : 2) | __builtin_ctz(access.bytes) << 4);
    packed.pageShift = access.pageShift;
    packed.physical = access.physical;
    packed.virtualAddress = access.virtualAddress;
    return packed;
  }

  Access access() const {
    Access access;
    access.before = before;
    access.write = (kind & 1) != 0;
    access.instruction = (kind & 2) == 0;
    access.bytes = static_cast<uint8_t>(1 << (kind >> 4));
    access.pageShift = pageShift;
    access.dependsOn = dependsOn;
    access.physical = physical;
    access.virtualAddress = virtualAddress;
    return access;
  }
};
static_assert(sizeof(PackedAccess) == 24);

}  // namespace weir::lab
