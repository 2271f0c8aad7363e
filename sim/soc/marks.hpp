// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dram.hpp"

namespace weir::soc {

/// A text that is looked for on the guest's console.
struct Mark {
  /// When a line of the console first had the text, and what the DRAM model had counted until then.
  struct Found {
    uint64_t cycle;
    dram::Statistics statistics;
  };

  std::string text;
  std::optional<Found> found;
};

/// Texts that are looked for on the guest's console.
class Marks {
 public:
  explicit Marks(const std::vector<std::string>& texts);

  /// Looks at the console's line after a byte was added to it in that cycle.
  void observe(const std::string& line, uint64_t cycle, const dram::Statistics& statistics);

  const std::vector<Mark>& all() const { return all_; }

  /// A text that was seen, if one was.
  const Mark* seen() const;

 private:
  std::vector<Mark> all_;
};

}  // namespace weir::soc
