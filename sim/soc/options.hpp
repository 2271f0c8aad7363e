// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::soc {

/// A binary file to be put into DRAM before the first cycle.
struct RamImage {
  std::string file;
  uint64_t address;  ///< bus address of the file's first byte
};

/// What the command line asks for. Cycles are controller clock cycles.
struct Options {
  std::string rom;
  std::vector<RamImage> ram_images;
  std::optional<uint64_t> boot;
  uint64_t cycles = UINT64_MAX;
  std::optional<std::string> trace;
  uint64_t trace_start = 0;
  uint64_t trace_stop = UINT64_MAX;
  std::optional<std::string> axi_log;
  std::optional<std::string> command_trace;
  bool tolerate_violations = false;
  double progress_seconds = 2;
  bool help = false;
};

/// A bad command line; the message names the option, its value and what is expected.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

extern const char kUsage[];

/// @throws UsageError
Options parse_options(int argc, char** argv);

}  // namespace weir::soc
