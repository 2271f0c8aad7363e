// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <stdexcept>

namespace weir::dram {
namespace {

[[noreturn]] void refuse(const Config& config, const std::string& what) {
  throw std::invalid_argument("DRAM model '" + config.name + "': " + what);
}

void within(const Config& config, const char* name, long long value, long long low, long long high) {
  if (value < low || value > high)
    refuse(config, std::string(name) + " = " + std::to_string(value) + ": must be " + std::to_string(low) + " to " +
                       std::to_string(high));
}

bool powerOfTwo(int value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

std::string Config::text() const {
  std::string out = part;
  const auto with = [&out](const char* name, int value) {
    out += std::string(" ") + name + "=" + std::to_string(value);
  };
  with("TCK_PS", clockPs);
  with("RANKS", ranks);
  with("BANK_BITS", bankBits);
  with("ADDRESS_PINS", addressPins);
  with("ROW_BITS", rowBits);
  with("COLUMN_BITS", columnBits);
  with("DQ", dq);
  with("BURST_BEATS", burstBeats);
  with("PHASES", phases);
  with("READ_PHASE", readPhase);
  with("WRITE_PHASE", writePhase);
  with("READ_LATENCY", readLatency);
  with("WRITE_LATENCY", writeLatency);
  with("CL", cl);
  with("CWL", cwl);
  with("INITIALISED", initialised ? 1 : 0);
  with("TERMINATED", terminated ? 1 : 0);
  with("FATAL", fatal ? 1 : 0);
  with("refresh_groups", features.refreshGroups);
  with("PSEUDO_RANKS", pseudoRanks);
  return out + " ADDRESS_MAP=" + addressMap;
}

void Config::validate(const Part& p) const {
  int partBankBits = 0;
  while ((1 << partBankBits) < p.banks()) ++partBankBits;

  within(*this, "RANKS", ranks, 1, 4);
  // bank pins tied low leave banks unused; with bank groups the upper bits are the group and must be all there
  within(*this, "BANK_BITS", bankBits, p.bankGroups > 1 ? partBankBits : 1, partBankBits);
  within(*this, "ROW_BITS", rowBits, 1, p.rowBits);
  within(*this, "BURST_BEATS", burstBeats, p.standard->burstBeats, p.standard->burstBeats);
  within(*this, "COLUMN_BITS", columnBits, burstBeats == 8 ? 3 : 4, p.columnBits);
  const int markPins = p.standard->sameBankRefresh ? 12 : 11;
  within(*this, "ADDRESS_PINS", addressPins, rowBits > markPins ? rowBits : markPins, 32);
  within(*this, "DQ", dq, 8, 64 * 8 / burstBeats);
  if (dq % p.width != 0 || !powerOfTwo(dq))
    refuse(*this, "DQ = " + std::to_string(dq) + ": must be a power of two and a multiple of the " +
                      std::to_string(p.width) + " data pins of " + p.name);
  within(*this, "PHASES", phases, 1, 4);
  if (!powerOfTwo(phases)) refuse(*this, "PHASES = " + std::to_string(phases) + ": must be 1, 2 or 4");
  within(*this, "READ_PHASE", readPhase, 0, phases - 1);
  within(*this, "WRITE_PHASE", writePhase, 0, phases - 1);
  within(*this, "TCK_PS", clockPs, p.minimumClockPs, 1'000'000);
  if (static_cast<std::int64_t>(cl) * clockPs < p.tAA.picoseconds)
    refuse(*this, "CL = " + std::to_string(cl) + " clocks of " + std::to_string(clockPs) +
                      " ps: less than tAA = " + std::to_string(p.tAA.picoseconds) + " ps of " + p.name);
  within(*this, "CL", cl, 1, 64);
  within(*this, "CWL", cwl, 1, cl);
  // No PHY can deliver a burst before its last beat has arrived, nor send one that it has not yet been given.
  within(*this, "READ_LATENCY", readLatency, (readPhase + cl + burstClocks() + phases - 1) / phases, 63);
  within(*this, "WRITE_LATENCY", writeLatency, 0, (writePhase + cwl) / phases);
  if (addressMap != "row_rank_bank_column" && addressMap != "rank_row_bank_column")
    refuse(*this, "ADDRESS_MAP = " + addressMap + ": must be row_rank_bank_column or rank_row_bank_column");
  within(*this, "PSEUDO_RANKS", pseudoRanks, 1, banks());
  if (!powerOfTwo(pseudoRanks))
    refuse(*this, "PSEUDO_RANKS = " + std::to_string(pseudoRanks) + ": must be a power of two");
  if (!p.standard->initialisation && !initialised)
    refuse(*this,
           "INITIALISED = 0: must be 1, as the model knows no initialisation of " + std::string(p.standard->name));
  if (!p.standard->odtPin && terminated)
    refuse(*this, "TERMINATED = 1: must be 0, as " + std::string(p.standard->name) + " has no ODT pin");
  features.validate(p, initialised, "DRAM model '" + name + "': FEATURES");
  if (features.refreshGroups > 1 && banksRefreshed() < 2)
    refuse(*this, "FEATURES: refresh_groups = " + std::to_string(features.refreshGroups) + ": must be at most " +
                      std::to_string(banks() / 2) + ", so that each has two of the " + std::to_string(banks()) +
                      " banks");
}

}  // namespace weir::dram
