// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which integer registers an instruction of RV64GC reads and writes.
#pragma once

#include <cstdint>

namespace weir::lab {

/// Of an instruction: the register that it writes, those that its result comes from, and the one that its address does,
/// if it accesses memory; 0 where there is none. Registers of floating point are left out: no address comes from them
/// but by way of an integer register, whose instruction then has no source here.
struct Registers {
  uint8_t written = 0, source1 = 0, source2 = 0, address = 0;
  bool load = false;
};

/// `bits` are those of the instruction, the upper 16 without meaning for a compressed one. From the unprivileged
/// specification, 20191213, chapters 16 ("C", tables 16.5 to 16.7) and 24 (listings of RV64G).
Registers registersOf(uint32_t bits);

/// Instructions without effect (hints: a write to x0): ORI x0, x0, and this. The first and the second begin and end
/// what is recorded; the third tells that the hart's program has made its data.
constexpr unsigned kBegin = 0x7a1, kEnd = 0x7a2, kReady = 0x7a3;

/// PAUSE (Zihintpause): the kernel has it wherever a hart waits for another one.
constexpr uint32_t kPause = 0x0100000f;

/// The immediate of ORI x0, x0, IMMEDIATE; 0 for any other instruction.
unsigned markOf(uint32_t bits);

}  // namespace weir::lab
