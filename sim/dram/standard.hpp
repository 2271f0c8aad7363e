// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a JEDEC standard says for all its parts.
#pragma once

#include <cstdint>

#include "time.hpp"

namespace weir::dram {

/// A JEDEC standard. Each is described in a file of its own,
/// with its parts.
struct Standard {
  const char* name;
  /// Clocks of `clockPs` picoseconds that cover a minimum time, rounded as the standard asks, where the time is
  /// `timeScale` times as long.
  Clock (*covering)(std::int64_t picoseconds, int clockPs, std::int64_t timeScale);
  int burstBeats = 8;
  Clock readToWriteGap = 2;   ///< clocks free on the bus between a read burst and a following write burst of the rank
  int longCommandClocks = 1;  ///< clocks that an activate, a read and a write take on the command pins; others take one
  int mostPostponed = 8;      ///< whole refreshes of a rank that may be postponed, and as many that may be pulled in
  bool sameBankRefresh =
      false;           ///< one bank of each bank group can be refreshed; then the bank is above the group on the DFI
  bool odtPin = true;  ///< a pin switches the termination
  bool initialisation = true;  ///< the model knows its mode registers, ZQ calibration and initialisation
};

extern const Standard kDdr3;
extern const Standard kDdr4;

}  // namespace weir::dram
