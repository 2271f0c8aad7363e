// SPDX-License-Identifier: Apache-2.0
/// @file
/// An out-of-order core that is driven by a trace.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "../trace/trace.hpp"
#include "core.hpp"

namespace weir::lab {

struct OutOfOrderConfig {
  unsigned reorderBuffer, width, loadQueue, storeQueue, loadPorts;
};

/// Up to `width` instructions enter the reorder buffer in a cycle and up to `width` leave it, in order. An instruction
/// that touches no memory is done in the cycle after it entered. A load goes to the caches, up to `loadPorts` in a
/// cycle, once the load that its address comes from is done, in the cycle it enters at the earliest; it holds an entry
/// of the load queue until it leaves. A store is done in the cycle after it entered; it goes to the caches after it
/// left the reorder buffer, one in a cycle, in order, and holds an entry of the store queue until the caches took it. A
/// load of bytes that an older store of that queue writes has them in the next cycle.
class OutOfOrderCore final : public Core {
 public:
  OutOfOrderCore(unsigned number, const OutOfOrderConfig& config, std::unique_ptr<Trace> trace, DataPort& caches);

  void cycle(uint64_t now) override;
  uint64_t wake() const override { return wake_; }
  void arrived(uint64_t token, uint64_t at) override;
  void roomAt(uint64_t at) override;
  uint64_t retired() const override { return retired_; }

 private:
  enum class Kind : uint8_t { kPlain, kLoad, kStore };
  struct Entry {
    Kind kind;
    uint32_t instructions;
    uint64_t done;  // cycle from which on it may leave
    uint64_t load;  // its number, of a load
  };
  struct Load {
    uint64_t address = 0;
    uint64_t parent = 0;  // number of the load that the address comes from, or its own
    uint64_t done = kNever;
    uint8_t bytes = 0;
    uint64_t storesBefore = 0;
  };
  struct Store {
    uint64_t address;
    uint8_t bytes;
  };

  bool retire(uint64_t now);
  bool drain(uint64_t now);
  bool issue(uint64_t now);
  bool enter(uint64_t now);
  bool forwarded(const Load& load) const;
  uint64_t addressKnown(uint64_t number);
  Load& load(uint64_t number) { return loads_[number % loads_.size()]; }

  const unsigned number_;
  const OutOfOrderConfig config_;
  const std::unique_ptr<Trace> trace_;
  DataPort& caches_;

  Access next_;
  uint32_t beforeNext_;  // instructions still to enter before `next_`
  std::deque<Entry> buffer_;
  unsigned buffered_ = 0;  // instructions in it
  // Loads by their numbers; those of the last `loads_.size()` are known. From `oldestLoad_` on they are in the load
  // queue.
  std::vector<Load> loads_;
  uint64_t loadsEntered_ = 0, loadsLeft_ = 0;
  std::deque<uint64_t> waiting_;  // loads that the caches have not seen, oldest first
  std::deque<Store> stores_;      // that the caches have not taken, oldest first
  uint64_t storesEntered_ = 0, storesLeft_ = 0, storesTaken_ = 0;
  uint64_t retired_ = 0, wake_ = 0;
  bool loadRefused_ = false, storeRefused_ = false;  // to be tried again after roomAt
};

}  // namespace weir::lab
