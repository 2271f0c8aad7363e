// SPDX-License-Identifier: Apache-2.0
#include "retirement.hpp"

namespace weir::soc {

std::vector<uint64_t>& retired() {
  static std::vector<uint64_t> counts;
  return counts;
}

}  // namespace weir::soc

// Called by retirement.sv.
extern "C" void hart_retired(int hart) {
  std::vector<uint64_t>& counts = weir::soc::retired();
  const auto index = static_cast<std::size_t>(hart);
  if (index >= counts.size()) counts.resize(index + 1);
  ++counts[index];
}
