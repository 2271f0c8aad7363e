// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "power_cuts.hpp"

namespace weir::soc {

/// A binary file to be put into DRAM before the first cycle of the run.
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
  std::optional<std::string> save;
  std::optional<uint64_t> save_at;  ///< else when the guest asks for it
  std::optional<std::string> resume;
  std::vector<uint64_t> cuts;
  std::optional<MemoryRange> cells;  ///< at a bus address
  std::optional<std::string> cuts_to;
  std::optional<std::string> script;
  uint64_t hang_limit = 50'000'000;
  std::vector<std::string> fail_on;
  uint64_t console_limit = UINT64_MAX;
  std::vector<std::string> marks;
  std::optional<std::string> summary;
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
