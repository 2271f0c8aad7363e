// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a DRAM part is: its organisation and its timings as its datasheet gives them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "standard.hpp"

namespace weir::dram {

/// A timing as datasheets write it, "the greater of so many clocks and so many nanoseconds".
struct Duration {
  std::int64_t picoseconds = 0;
  int clocks = 0;
};

/// A timing given in nanoseconds alone.
constexpr Duration ns(double nanoseconds) { return {static_cast<std::int64_t>(nanoseconds * 1000.0 + 0.5), 0}; }

/// A timing given in clocks alone.
constexpr Duration ck(int clocks) { return {0, clocks}; }

/// The greater of a number of clocks and a number of nanoseconds.
constexpr Duration atLeast(int clocks, double nanoseconds) { return {ns(nanoseconds).picoseconds, clocks}; }

/// One DRAM part in one speed grade. Timing names are JEDEC's. On parts without bank groups the `_S` and `_L` values
/// are equal.
struct Part {
  std::string name;    ///< as its maker writes it, speed grade last
  std::string source;  ///< where organisation and timings come from
  const Standard* standard = &kDdr3;

  int width = 8;                     ///< data pins of one chip
  int bankGroups = 1;                ///< 1 on parts without bank groups
  int banksPerGroup = 8;             ///< banks of a group; all banks where there are no groups
  int rowBits = 0;                   ///< row address bits
  int columnBits = 10;               ///< column address bits
  bool extendedTemperature = false;  ///< tREFI and tREFW are those of extended temperature, half of the normal ones

  std::int64_t minimumClockPs = 0;  ///< shortest tCK of the speed grade, in picoseconds

  Duration tAA;        ///< read command to first data (internal); the programmed CL must cover it
  Duration tRCD;       ///< activate to read or write
  Duration tRP;        ///< precharge to activate
  Duration tRAS;       ///< activate to precharge
  Duration tRC;        ///< activate to activate, same bank
  Duration tRRD_S;     ///< activate to activate, same rank
  Duration tRRD_L;     ///< activate to activate, same bank group
  Duration tFAW;       ///< window that holds at most four activates of a rank
  Duration tCCD_S;     ///< column command to column command, same rank
  Duration tCCD_L;     ///< column command to column command, same bank group
  Duration tCCD_L_WR;  ///< write to write, same bank group, where that is longer; else none (0)
  Duration tWTR_S;     ///< end of write data to read command, same rank
  Duration tWTR_L;     ///< end of write data to read command, same bank group
  Duration tRTP;       ///< read to precharge
  Duration tWR;        ///< end of write data to precharge
  Duration tRTRS;      ///< gap on the data bus between bursts of two ranks
  Duration tRFC;       ///< refresh to the next command of the rank; DDR4's tRFC1
  Duration tRFC2;      ///< the same of a refresh of 2x granularity; none (0) where the part has no such refresh
  Duration tRFC4;      ///< the same of a refresh of 4x granularity
  Duration tRFCsb;     ///< refresh of one bank of each group to its next command or refresh; none (0) without such
  Duration tREFSBRD;   ///< the same to an activate of another bank of the rank
  Duration tPPD;       ///< precharge to precharge of a rank; none (0) where it is one clock
  Duration tREFI;      ///< average interval between refreshes of a rank
  Duration tREFW;      ///< window in which every row is refreshed once
  Duration tZQinit;    ///< long ZQ calibration of the initialisation
  Duration tZQoper;    ///< long ZQ calibration in operation
  Duration tZQCS;      ///< short ZQ calibration
  Duration tMRD;       ///< mode register set to mode register set
  Duration tMOD;       ///< mode register set to any other command
  Duration tXPR;       ///< CKE high after reset to the first command
  Duration tXP;        ///< CKE high after power-down to the next command
  Duration tDLLK;      ///< reset of the DLL to the first read

  /// Banks of one rank, over all bank groups.
  int banks() const { return bankGroups * banksPerGroup; }
};

/// All parts of the preset table.
const std::vector<Part>& parts();

/// The part of that name.
/// @throws std::invalid_argument naming the value and the known parts, if there is none
const Part& findPart(const std::string& name);

}  // namespace weir::dram
