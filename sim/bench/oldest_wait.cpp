// SPDX-License-Identifier: Apache-2.0
#include "oldest_wait.hpp"

#include <algorithm>

namespace weir::bench {

uint64_t OldestWait::most() const {
  auto reads = reads_;
  std::sort(reads.begin(), reads.end());
  uint64_t longest = 0, before = 0;  // `before`: when the last of the older ones had its datum
  for (const auto& [accepted, first] : reads) {
    const uint64_t since = std::max(accepted, before);
    if (first > since) longest = std::max(longest, first - since);
    before = std::max(before, first);
  }
  return longest;
}

}  // namespace weir::bench
