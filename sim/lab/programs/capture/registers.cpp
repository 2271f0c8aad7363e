// SPDX-License-Identifier: Apache-2.0
#include "registers.hpp"

namespace weir::lab {

namespace {

constexpr uint32_t kLoad = 0x03, kLoadFp = 0x07, kOpImm = 0x13, kAuipc = 0x17, kOpImm32 = 0x1b, kStore = 0x23,
                   kStoreFp = 0x27, kAmo = 0x2f, kOp = 0x33, kLui = 0x37, kOp32 = 0x3b, kOpFp = 0x53, kJalr = 0x67,
                   kJal = 0x6f, kSystem = 0x73;

/// Field of `bits` from `low` on.
constexpr uint8_t field(uint32_t bits, unsigned low, unsigned width) {
  return static_cast<uint8_t>(bits >> low & ((1u << width) - 1));
}

Registers full(uint32_t bits) {
  const uint8_t rd = field(bits, 7, 5), rs1 = field(bits, 15, 5), rs2 = field(bits, 20, 5);
  Registers found;
  switch (bits & 0x7f) {
    case kLoad:
      found = {rd, 0, 0, rs1, true};
      break;
    case kLoadFp:
      found = {0, 0, 0, rs1, true};
      break;
    case kAmo:
      found = {rd, 0, 0, rs1, true};
      break;
    case kStore:
    case kStoreFp:
      found.address = rs1;
      break;
    case kOpImm:
    case kOpImm32:
      found = {rd, rs1, 0, 0, false};
      break;
    case kOp:
    case kOp32:
      found = {rd, rs1, rs2, 0, false};
      break;
    case kOpFp: {
      // those whose result is an integer: comparisons, FCVT to integers, FMV.X and FCLASS
      const uint8_t function = field(bits, 27, 5);
      if (function == 0x14 || function == 0x18 || function == 0x1c) found.written = rd;
      break;
    }
    case kLui:
    case kAuipc:
    case kJal:
    case kJalr:
    case kSystem:
      found.written = rd;
      break;
    default:
      break;
  }
  return found;
}

Registers compressed(uint32_t bits) {
  const uint8_t function = field(bits, 13, 3), quadrant = field(bits, 0, 2);
  const uint8_t rd = field(bits, 7, 5), rs2 = field(bits, 2, 5);
  const auto small = [bits](unsigned low) { return static_cast<uint8_t>(8 + field(bits, low, 3)); };
  constexpr uint8_t kStackPointer = 2, kReturnAddress = 1;
  if (quadrant == 0) switch (function) {
      case 0:  // C.ADDI4SPN
        return {small(2), kStackPointer, 0, 0, false};
      case 1:  // C.FLD
        return {0, 0, 0, small(7), true};
      case 2:  // C.LW
      case 3:  // C.LD
        return {small(2), 0, 0, small(7), true};
      case 4:
        return {};
      default:  // C.FSD, C.SW, C.SD
        return {0, 0, 0, small(7), false};
    }
  if (quadrant == 1) switch (function) {
      case 0:  // C.ADDI
      case 1:  // C.ADDIW
        return {rd, rd, 0, 0, false};
      case 2:  // C.LI
        return {rd, 0, 0, 0, false};
      case 3:  // C.ADDI16SP, C.LUI
        return {rd, static_cast<uint8_t>(rd == kStackPointer ? kStackPointer : 0), 0, 0, false};
      case 4:
        // shifts and C.ANDI have no second register
        return {small(7), small(7), static_cast<uint8_t>(field(bits, 10, 2) == 3 ? small(2) : 0), 0, false};
      default:  // C.J, C.BEQZ, C.BNEZ
        return {};
    }
  switch (function) {
    case 0:  // C.SLLI
      return {rd, rd, 0, 0, false};
    case 1:  // C.FLDSP
      return {0, 0, 0, kStackPointer, true};
    case 2:  // C.LWSP
    case 3:  // C.LDSP
      return {rd, 0, 0, kStackPointer, true};
    case 4:
      if (rs2 == 0)
        return {static_cast<uint8_t>(field(bits, 12, 1) != 0 && rd != 0 ? kReturnAddress : 0), 0, 0, 0, false};
      if (field(bits, 12, 1) == 0) return {rd, rs2, 0, 0, false};  // C.MV
      return {rd, rd, rs2, 0, false};                              // C.ADD
    default:                                                       // C.FSDSP, C.SWSP, C.SDSP
      return {0, 0, 0, kStackPointer, false};
  }
}

}  // namespace

Registers registersOf(uint32_t bits) { return (bits & 3) == 3 ? full(bits) : compressed(bits); }

unsigned markOf(uint32_t bits) { return (bits & 0xfffff) == 0x06013 ? bits >> 20 : 0; }

}  // namespace weir::lab
