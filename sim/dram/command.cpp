// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

namespace weir::dram {

const char* name(Command command) {
  switch (command) {
    case Command::nop:
      return "NOP";
    case Command::modeRegisterSet:
      return "MRS";
    case Command::refresh:
      return "REF";
    case Command::precharge:
      return "PRE";
    case Command::prechargeAll:
      return "PREA";
    case Command::activate:
      return "ACT";
    case Command::write:
      return "WR";
    case Command::writeAutoPrecharge:
      return "WRA";
    case Command::read:
      return "RD";
    case Command::readAutoPrecharge:
      return "RDA";
    case Command::zqLong:
      return "ZQCL";
    case Command::zqShort:
      return "ZQCS";
  }
  return "?";
}

}  // namespace weir::dram
