// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>
#include <string>

#include "archive.hpp"

namespace weir::soc {

/// The guest's console on this process's stdin and stdout, byte for byte. A terminal is put into unbuffered mode
/// without echo (Ctrl-C still ends the program) and is given back as it was.
class Console {
 public:
  Console();
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Shows a byte the guest has written.
  void write(uint8_t byte);

  /// Writes out what is still buffered.
  /// @throws std::runtime_error if not all of what the guest has written could be shown
  static void finish();

  /// A byte typed for the guest, if there is one; does not wait.
  std::optional<uint8_t> read();

  /// The line that the guest writes, its last bytes if it is very long; of a line that has just ended nothing.
  const std::string& line() const { return line_; }

  /// Bytes written so far.
  uint64_t bytes() const { return bytes_; }

  /// Writes what the guest has written to an archive or takes it from one; the bytes are counted anew.
  void transfer(dram::Archive& archive) {
    archive("line", line_);
    archive("section", section_);
  }

  /// Whether the last byte written ended a line, so that other text may follow.
  bool at_line_start() const { return line_.empty(); }

  /// The last headline that the guest wrote, of the form `--=== Name ===--` as in LiteX's BIOS; empty before the first.
  const std::string& section() const { return section_; }

 private:
  bool open_ = true;
  bool terminal_;
  termios saved_{};
  uint64_t bytes_ = 0;
  std::string line_;
  std::string section_;
};

}  // namespace weir::soc
