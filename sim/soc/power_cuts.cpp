// SPDX-License-Identifier: Apache-2.0
#include "power_cuts.hpp"

#include <algorithm>
#include <utility>

#include "whole_file.hpp"

namespace weir::soc {

PowerCuts::PowerCuts(std::vector<uint64_t> cycles, MemoryRange range, std::string folder)
    : cycles_(std::move(cycles)), range_(range), folder_(std::move(folder)) {
  std::sort(cycles_.begin(), cycles_.end());
  cycles_.erase(std::unique(cycles_.begin(), cycles_.end()), cycles_.end());
}

void PowerCuts::observe(uint64_t cycle, uint64_t console_bytes, dram::Dram& dram) {
  while (next_ < cycles_.size() && cycles_[next_] < cycle) ++next_;
  if (next_ == cycles_.size() || cycles_[next_] != cycle) return;
  std::vector<uint8_t> cells(range_.bytes);
  dram.dump(range_.address, cells.data(), cells.size());
  const std::string file = folder_ + "/" + std::to_string(cycle) + ".cells";
  write_whole("--cut:", file, cells.data(), cells.size());
  all_.push_back({cycle, console_bytes});
}

}  // namespace weir::soc
