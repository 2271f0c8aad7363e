// SPDX-License-Identifier: Apache-2.0
#include "marks.hpp"

#include <algorithm>

namespace weir::soc {

Marks::Marks(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) all_.push_back({text, std::nullopt});
}

void Marks::observe(const std::string& line, uint64_t cycle) {
  for (Mark& mark : all_) {
    const size_t length = mark.text.size();
    if (!mark.cycle && line.size() >= length && line.compare(line.size() - length, length, mark.text) == 0)
      mark.cycle = cycle;
  }
}

const Mark* Marks::seen() const {
  const auto found = std::find_if(all_.begin(), all_.end(), [](const Mark& mark) { return mark.cycle.has_value(); });
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace weir::soc
