// SPDX-License-Identifier: Apache-2.0
/// @file
/// Latencies of bursts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::bench {

/// A histogram of latencies in whole controller cycles.
class Latency {
 public:
  void add(uint64_t cycles);
  uint64_t count() const { return count_; }
  /// Mean in cycles, and the smallest latency that at least 99 % do not exceed; 0 without samples.
  double mean() const;
  uint64_t p99() const;
  uint64_t least() const;
  uint64_t most() const { return histogram_.empty() ? 0 : histogram_.size() - 1; }

  /// A JSON object of these, in controller cycles.
  std::string json() const;

 private:
  std::vector<uint64_t> histogram_;
  uint64_t count_ = 0, sum_ = 0;
};

}  // namespace weir::bench
