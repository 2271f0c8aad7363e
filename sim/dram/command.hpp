// SPDX-License-Identifier: Apache-2.0
/// @file
/// DRAM commands and their decoding from the command pins.
#pragma once

#include <cstdint>

#include "archive.hpp"
#include "time.hpp"

namespace weir::dram {

/// Commands as the chips see them. The values are the record codes of the command trace: append only.
enum class Command : std::uint8_t {
  nop,
  modeRegisterSet,
  refresh,
  precharge,
  prechargeAll,
  activate,
  write,
  writeAutoPrecharge,
  read,
  readAutoPrecharge,
  zqLong,
  zqShort,
};

/// Number of values of Command.
constexpr int kCommands = 12;

/// The command's usual short name.
const char* name(Command command);

/// Address bit A11 of precharges of all banks and of refreshes: of the banks of one number in all bank groups, where
/// the standard has such (same-bank). CA10 of DDR5's PREsb and REFsb.
constexpr std::uint32_t kA11 = 1u << 11;

/// Address bit A10: auto precharge of reads and writes, "all banks" of precharges, "long" of ZQ calibrations.
constexpr std::uint32_t kA10 = 1u << 10;

/// Decodes RAS#, CAS#, WE# (true = high) and A10 of a selected rank: JESD79-3F table 6. DFI carries DDR4's
/// and DDR5's commands in the same encoding; the PHY converts them.
inline Command decode(bool rasN, bool casN, bool weN, std::uint32_t address) {
  const bool a10 = (address & kA10) != 0;
  switch ((rasN ? 4 : 0) | (casN ? 2 : 0) | (weN ? 1 : 0)) {
    case 0:
      return Command::modeRegisterSet;
    case 1:
      return Command::refresh;
    case 2:
      return a10 ? Command::prechargeAll : Command::precharge;
    case 3:
      return Command::activate;
    case 4:
      return a10 ? Command::writeAutoPrecharge : Command::write;
    case 5:
      return a10 ? Command::readAutoPrecharge : Command::read;
    case 6:
      return a10 ? Command::zqLong : Command::zqShort;
    default:
      return Command::nop;
  }
}

inline bool isRead(Command c) { return c == Command::read || c == Command::readAutoPrecharge; }
inline bool isWrite(Command c) { return c == Command::write || c == Command::writeAutoPrecharge; }
/// Whether it is of the whole rank, whatever stands on the bank pins: mode register set and ZQ calibration.
inline bool isOfRank(Command c) {
  return c == Command::modeRegisterSet || c == Command::zqLong || c == Command::zqShort;
}
inline bool isColumn(Command c) { return isRead(c) || isWrite(c); }

/// A command as one rank received it.
struct Issued {
  Command command = Command::nop;
  int rank = 0;
  int bank = 0;               ///< bank group above bank
  std::uint32_t address = 0;  ///< address pins
  Clock clock = 0;
  int phase = 0;  ///< DFI phase in which it stood

  void transfer(Archive& archive) {
    archive("command", command);
    archive("rank", rank);
    archive("bank", bank);
    archive("address", address);
    archive("clock", clock);
    archive("phase", phase);
  }
};

/// Column address of a read or write: A10 is auto precharge and A12 burst chop, so that bit 10 of the column is A11.
inline std::uint32_t columnOf(std::uint32_t address) { return (address & (kA10 - 1)) | (address >> 1 & kA10); }

}  // namespace weir::dram
