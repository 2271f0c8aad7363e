// SPDX-License-Identifier: Apache-2.0
/// @file
/// How one DRAM channel is built and how the PHY in front of it behaves: the parameters of dfi_dram.sv.
#pragma once

#include <string>

#include "features.hpp"
#include "part.hpp"

namespace weir::dram {

/// One channel: ranks of equal chips behind a DFI of `phases` phases.
struct Config {
  std::string name = "dram";  ///< under which find() knows the model
  std::string part = "MT41J128M8JP-125";
  int clockPs = 1250;       ///< tCK in picoseconds
  int ranks = 1;            ///< chip selects (1 to 4)
  int bankBits = 3;         ///< bank group above bank
  int addressPins = 14;     ///< width of DFI's address of one phase (at most 32)
  int rowBits = 14;         ///< at most the part's; fewer make a smaller memory
  int columnBits = 10;      ///< at most the part's
  int dq = 64;              ///< width of the data bus (8 to 64)
  int burstBeats = 8;       ///< beats of a burst: those of the part's standard
  int phases = 4;           ///< DFI phases (1, 2 or 4)
  int readPhase = 1;        ///< phase in which reads must stand
  int writePhase = 0;       ///< phase in which writes must stand
  int readLatency = 9;      ///< controller cycles from the read command to rddata
  int writeLatency = 1;     ///< controller cycles from the write command to wrdata
  int cl = 11;              ///< DRAM clocks, CAS latency
  int cwl = 8;              ///< DRAM clocks, CAS write latency
  bool initialised = true;  ///< start with mode registers set and ZQ calibrated
  bool terminated = false;  ///< and with RTT_NOM and RTT_WR on in them
  bool fatal = true;        ///< whether a violation is to end the simulation
  Features features;        ///< beyond the part
  /// Order of byte addresses for preload and dump, by the name that docs/address-maps.md has for it:
  /// row_rank_bank_column or rank_row_bank_column.
  std::string addressMap = "row_rank_bank_column";
  int pseudoRanks = 1;  ///< of each rank, by the upper bits of the bank; where ranks are above the row, so are these

  /// Bytes of one burst over the whole bus.
  int lineBytes() const { return dq * burstBeats / 8; }
  /// DRAM clocks that a burst holds the data bus.
  int burstClocks() const { return burstBeats / 2; }
  /// Bytes of one row over the whole bus.
  int rowBytes() const { return (1 << columnBits) * dq / 8; }
  int banks() const { return 1 << bankBits; }
  /// What refreshes apart: every rank, or every group of banks of each (Features::refreshGroups), numbered through.
  int refreshedApart() const { return ranks * features.refreshGroups; }
  /// Number, among what refreshes apart, of what a bank belongs to: the group is the upper bits of the bank.
  std::size_t refreshedWith(int rank, int bank) const {
    return static_cast<std::size_t>(rank * features.refreshGroups + bank * features.refreshGroups / banks());
  }
  /// Banks that refresh with each other.
  int banksRefreshed() const { return banks() / features.refreshGroups; }
  /// Bytes of the channel.
  unsigned long long bytes() const {
    return (static_cast<unsigned long long>(rowBytes()) << (rowBits + bankBits)) * static_cast<unsigned>(ranks);
  }

  /// All of it that stays as it is while a simulation runs, to be compared.
  std::string text() const;

  /// Refuses what the part, the model or physics cannot do.
  /// @throws std::invalid_argument naming the parameter, its value and the limit
  void validate(const Part& part) const;
};

}  // namespace weir::dram
