// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "archive.hpp"

namespace weir::soc {

/// Tells when no hart has retired an instruction for long.
class HangWatch {
 public:
  /// @param limit cycles that may pass without one; 0: any number
  explicit HangWatch(uint64_t limit) : limit_(limit) {}

  /// To be called now and then, with the harts' counts. @return whether the limit is reached
  bool hangs(const std::vector<uint64_t>& retired, uint64_t cycle) {
    const uint64_t total = std::accumulate(retired.begin(), retired.end(), uint64_t{0});
    if (total != total_) {
      total_ = total;
      since_ = cycle;
    }
    return limit_ != 0 && cycle - since_ >= limit_;
  }

  /// The cycle in which it was last seen that there had been one.
  uint64_t since() const { return since_; }

  void transfer(dram::Archive& archive) {
    archive("total", total_);
    archive("since", since_);
  }

 private:
  uint64_t limit_;
  uint64_t total_ = 0;
  uint64_t since_ = 0;
};

}  // namespace weir::soc
