// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::soc {

/// A text that is looked for on the guest's console.
struct Mark {
  std::string text;
  std::optional<uint64_t> cycle;  ///< at which a line of the console first had it
};

/// Texts that are looked for on the guest's console.
class Marks {
 public:
  explicit Marks(const std::vector<std::string>& texts);

  /// Looks at the console's line after a byte was added to it in that cycle.
  void observe(const std::string& line, uint64_t cycle);

  const std::vector<Mark>& all() const { return all_; }

  /// A text that was seen, if one was.
  const Mark* seen() const;

 private:
  std::vector<Mark> all_;
};

}  // namespace weir::soc
