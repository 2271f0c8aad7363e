// SPDX-License-Identifier: Apache-2.0
/// @file
/// The rules that the checker knows, each a named item.
#pragma once

#include <cstddef>

namespace weir::dram {

/// Every rule the protocol checker applies. Names and meanings are in the table of rules.cpp; README.md lists them.
enum class Rule {
  // Row timing of a bank and a rank.
  tRCD,
  tRP,
  tRAS,
  tRC,
  tRRD_S,
  tRRD_L,
  tFAW,
  tRTP,
  tWR,
  tPPD,
  // Column timing and the data bus.
  tCCD_S,
  tCCD_L,
  tCCD_L_WR,
  tWTR_S,
  tWTR_L,
  tRTW,
  tRTRS,
  dataBus,
  // Refresh.
  tRFC,
  tREFSBRD,
  tREFI,
  refreshPostponed,
  refreshPulledIn,
  refreshGroup,
  refreshSet,
  refreshUnneeded,
  retention,
  // ZQ calibration, mode registers, initialisation.
  tZQ,
  tMRD,
  tMOD,
  tXPR,
  tXP,
  tDLLK,
  initialisationOrder,
  notInitialised,
  modeCl,
  modeCwl,
  modeWr,
  modeBurst,
  modeAdditiveLatency,
  modeFineRefresh,
  // On-die termination.
  odtRead,
  odtWrite,
  odtHold,
  odtInitialisation,
  // State of banks.
  bankOpen,
  bankClosed,
  refreshBankOpen,
  modeBankOpen,
  zqBankOpen,
  // Pins and DFI.
  readPhase,
  writePhase,
  readEnable,
  writeEnable,
  rowAddress,
  columnAddress,
  rankConflict,
  commandBus,
  unknownCommand,
  ckeLow,
  resetLow,
  count,  ///< not a rule: how many there are
};

constexpr std::size_t kRules = static_cast<std::size_t>(Rule::count);

/// What a rule is called and what it says.
struct RuleText {
  const char* name;     ///< JEDEC's name where it has one
  const char* since;    ///< the earlier event that the rule counts from; empty if it has none
  const char* meaning;  ///< one sentence
};

/// Name and meaning of a rule.
const RuleText& text(Rule rule);

}  // namespace weir::dram
