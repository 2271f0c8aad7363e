// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::soc {

/// Counts of each hart, by hart id; a hart is known from its first count on.
using HartCounts = std::vector<uint64_t>;

/// Adds to the count of a hart.
inline void add(HartCounts& counts, int hart, uint64_t more) {
  const auto index = static_cast<std::size_t>(hart);
  if (index >= counts.size()) counts.resize(index + 1);
  counts[index] += more;
}

}  // namespace weir::soc
