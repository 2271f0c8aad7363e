// SPDX-License-Identifier: Apache-2.0
/// @file
/// The binary command trace.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "command.hpp"
#include "config.hpp"

namespace weir::dram {

/// Writes each command that a rank receives to a file; trace.py reads it. All numbers are little-endian.
///
/// Header, 80 bytes: the eight characters "WEIRDRAM"; uint32 version = 1; uint32 size of the header; ten uint32: tCK in
/// picoseconds, phases, ranks, bank bits, row bits, column bits, DQ, CL, CWL, 0; 24 characters of the part's name,
/// filled with zeros.
///
/// Record, 16 bytes: uint64 DRAM clock; uint32 address pins; uint8 command (the values of Command); uint8 rank; uint8
/// bank; uint8 DFI phase.
class Trace {
 public:
  /// @throws std::runtime_error naming the file if it cannot be written
  Trace(const std::string& path, const Config& config);

  void write(const Issued& issued);
  /// @throws std::runtime_error naming the file if not all of it could be written
  void flush();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace weir::dram
