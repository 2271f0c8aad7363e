// SPDX-License-Identifier: Apache-2.0
#include "latency.hpp"

#include <cstdio>

namespace weir::bench {

void Latency::add(uint64_t cycles) {
  if (cycles >= histogram_.size()) histogram_.resize(cycles + 1);
  ++histogram_[cycles];
  ++count_;
  sum_ += cycles;
}

double Latency::mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

uint64_t Latency::p99() const {
  uint64_t seen = 0;
  for (uint64_t cycles = 0; cycles < histogram_.size(); ++cycles) {
    seen += histogram_[cycles];
    if (100 * seen >= 99 * count_) return cycles;
  }
  return 0;
}

uint64_t Latency::least() const {
  for (uint64_t cycles = 0; cycles < histogram_.size(); ++cycles)
    if (histogram_[cycles] != 0) return cycles;
  return 0;
}

std::string Latency::json() const {
  char text[160];
  std::snprintf(text, sizeof text, "{\"count\": %llu, \"mean\": %.4f, \"p99\": %llu, \"least\": %llu, \"most\": %llu}",
                static_cast<unsigned long long>(count_), mean(), static_cast<unsigned long long>(p99()),
                static_cast<unsigned long long>(least()), static_cast<unsigned long long>(most()));
  return text;
}

}  // namespace weir::bench
