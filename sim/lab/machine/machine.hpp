// SPDX-License-Identifier: Apache-2.0
/// @file
/// Cores, caches and memory, and their clocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "cache/hierarchy.hpp"
#include "core/core.hpp"
#include "memory/memory.hpp"

namespace weir::lab {

/// One clock for the cores and one for memory, `clockRatio` times slower. In a cycle of memory first the cores have
/// theirs, then what the caches want is offered, then memory has its own; what it brings is there in the first cycle of
/// the cores after that. The cores take turns in who is first: what two want, such as the last MSHR, is not always the
/// same one's.
class Machine {
 public:
  Machine(unsigned cores, unsigned clockRatio, const HierarchyConfig& caches, Memory& memory)
      : ratio_(clockRatio), caches_(cores, caches, memory), memory_(memory) {
    memory.onRead([this](uint64_t line) { caches_.readDone(line, now_); });
    memory.onWrite([this](uint64_t line) { caches_.writeDone(line); });
  }
  Machine(const Machine&) = delete;

  /// The cores, whose caches are `caches()`; to be called once.
  void attach(std::vector<std::unique_ptr<Core>> cores) {
    cores_ = std::move(cores);
    std::vector<Core*> found;
    for (const auto& core : cores_) found.push_back(core.get());
    caches_.attach(found);
  }

  /// One cycle of memory.
  void cycle() {
    const uint64_t end = now_ + ratio_;
    while (now_ < end) {
      caches_.fill(now_);
      uint64_t next = kNever;
      for (size_t number = 0; number < cores_.size(); ++number) {
        Core& core = *cores_[(first_ + number) % cores_.size()];
        if (core.wake() <= now_) core.cycle(now_);
        next = std::min(next, core.wake());
      }
      first_ = (first_ + 1) % cores_.size();
      now_ = std::max(now_ + 1, std::min({next, caches_.nextFill(), end}));
    }
    caches_.offer(now_);
    memory_.cycle();
  }

  /// Cycles of the cores so far.
  uint64_t now() const { return now_; }
  Hierarchy& caches() { return caches_; }
  const Core& core(unsigned number) const { return *cores_[number]; }
  size_t cores() const { return cores_.size(); }

 private:
  const uint64_t ratio_;
  uint64_t now_ = 0;
  size_t first_ = 0;
  Hierarchy caches_;
  Memory& memory_;
  std::vector<std::unique_ptr<Core>> cores_;
};

}  // namespace weir::lab
