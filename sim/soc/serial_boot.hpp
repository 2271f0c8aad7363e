// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive.hpp"

namespace weir::soc {

/// The host's side of LiteX's serial boot, as far as a program that lies in memory already needs it: when the BIOS
/// asks, the answer is one frame that tells it to jump. With it neither the BIOS nor the model has to know the address.
class SerialBoot {
 public:
  explicit SerialBoot(uint32_t address) : address_(address) {}

  /// Looks at a byte that the guest has written to its console.
  void observe(uint8_t byte);

  /// The next byte of the answer, if one is due.
  std::optional<uint8_t> next();

  /// Writes the state to an archive or takes it from one.
  void transfer(dram::Archive& archive);

 private:
  uint32_t address_;
  size_t matched_ = 0;
  std::string answer_;
};

}  // namespace weir::soc
