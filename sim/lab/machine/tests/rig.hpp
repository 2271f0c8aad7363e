// SPDX-License-Identifier: Apache-2.0
/// @file
/// A machine on an ideal memory whose requests are written down, for the tests.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "../core/out_of_order.hpp"
#include "../machine.hpp"
#include "../memory/ideal.hpp"

namespace weir::lab {

/// A trace out of a list.
class ListTrace final : public Trace {
 public:
  explicit ListTrace(std::vector<Access> accesses) : accesses_(std::move(accesses)) {}
  Access next() override {
    if (at_ == accesses_.size()) at_ = 0;
    return accesses_[at_++];
  }
  bool atBegin() const override { return at_ % accesses_.size() == 0; }

 private:
  const std::vector<Access> accesses_;
  size_t at_ = 0;
};

/// Lines as they are asked for, and what the rules of Memory forbid. A write takes `writeCycles` cycles.
class WatchedMemory final : public Memory {
 public:
  WatchedMemory(unsigned cycles, unsigned writeCycles) : writeCycles_(writeCycles), ideal_(cycles) {
    ideal_.onRead([this](uint64_t line) {
      reading_.erase(line);
      readDone_(line);
    });
    ideal_.onWrite([](uint64_t) {});
  }
  bool read(uint64_t line, unsigned core) override {
    broken |= !reading_.insert(line).second || writing_.count(line) != 0;
    reads.push_back(line);
    return ideal_.read(line, core);
  }
  bool write(uint64_t line, unsigned) override {
    broken |= !writing_.insert(line).second || reading_.count(line) != 0;
    writes.push_back(line);
    written_.emplace_back(now_ + writeCycles_, line);
    return true;
  }
  void cycle() override {
    ++now_;
    ideal_.cycle();
    while (!written_.empty() && written_.front().first <= now_) {
      const uint64_t line = written_.front().second;
      written_.pop_front();
      writing_.erase(line);
      writeDone_(line);
    }
  }

  std::vector<uint64_t> reads, writes;
  /// Whether a line was asked for while it was read or written.
  bool broken = false;

 private:
  const unsigned writeCycles_;
  uint64_t now_ = 0;
  std::deque<std::pair<uint64_t, uint64_t>> written_;  // when, and which line
  IdealMemory ideal_;
  std::set<uint64_t> reading_, writing_;
};

constexpr OutOfOrderConfig kCore = {64, 4, 64, 32, 4};
constexpr CacheConfig kLlc = {4096 * 1024, 8, 10, 128};

/// A load of a line, or a store to it, after `before` other instructions.
inline Access loadOf(uint64_t line, uint32_t before = 0, uint32_t dependsOn = 0) {
  Access access;
  access.before = before;
  access.dependsOn = dependsOn;
  access.physical = line * kLineBytes;
  return access;
}
inline Access storeTo(uint64_t line, uint32_t before = 0) {
  Access access = loadOf(line, before);
  access.write = true;
  return access;
}

class Rig {
 public:
  Rig(std::vector<std::vector<Access>> traces, const HierarchyConfig& caches, unsigned memoryCycles,
      const OutOfOrderConfig& core = kCore, unsigned ratio = 1, unsigned writeCycles = 1)
      : memory(memoryCycles, writeCycles), machine(static_cast<unsigned>(traces.size()), ratio, caches, memory) {
    std::vector<std::unique_ptr<Core>> cores;
    for (unsigned number = 0; number < traces.size(); ++number)
      cores.push_back(std::make_unique<OutOfOrderCore>(
          number, core, std::make_unique<ListTrace>(std::move(traces[number])), machine.caches()));
    machine.attach(std::move(cores));
  }

  /// Run for so many cycles of memory.
  void run(uint64_t cycles) {
    while (cycles-- != 0) machine.cycle();
  }
  /// Instructions that core 0 retires in `cycles` cycles of the cores, after `warmUp`; the ratio of the clocks is 1.
  uint64_t retiredIn(uint64_t cycles, uint64_t warmUp) {
    run(warmUp);
    const uint64_t before = machine.core(0).retired();
    run(cycles);
    return machine.core(0).retired() - before;
  }

  WatchedMemory memory;
  Machine machine;
};

}  // namespace weir::lab
