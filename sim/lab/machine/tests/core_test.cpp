// SPDX-License-Identifier: Apache-2.0
/// @file
/// The core on an ideal memory: instructions in a time, as a hand counts them.

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <unordered_map>

#include "rig.hpp"

namespace weir::lab {
namespace {

const HierarchyConfig kSharedOnly = {std::nullopt, kLlc, 64, std::nullopt};
/// A miss offered to memory at the latency of the cache, memory's answer in the cycle after its own time.
constexpr unsigned kMemory = 90, kMiss = 10 + kMemory - 1;

std::vector<Access> newLines(unsigned count, uint32_t before, uint32_t dependsOn = 0) {
  std::vector<Access> accesses;
  for (unsigned line = 0; line < count; ++line) accesses.push_back(loadOf(line * 1, before, dependsOn));
  return accesses;
}

TEST(OutOfOrderCore, RetiresItsWidthWhereNothingWaits) {
  // 1000 instructions and a load that hits: four leave in each cycle.
  Rig rig({{loadOf(5, 999)}}, kSharedOnly, kMemory);
  EXPECT_EQ(rig.retiredIn(1000, 2000), 4000u);
}

TEST(OutOfOrderCore, FollowsAChainOfHitsAtTheLatencyOfTheCache) {
  // Each address comes from the load before: one in ten cycles, whatever the width.
  Rig rig({{loadOf(5, 0, 1)}}, kSharedOnly, kMemory);
  EXPECT_EQ(rig.retiredIn(1000, 2000), 100u);
}

TEST(OutOfOrderCore, FollowsAChainOfMissesAtTheLatencyOfMemory) {
  Rig rig({newLines(1u << 20, 0, 1)}, kSharedOnly, kMemory);
  EXPECT_EQ(rig.retiredIn(kMiss * 50, kMiss * 10), 50u);
}

TEST(OutOfOrderCore, HasAsManyMissesUnderWayAsTheReorderBufferHolds) {
  // 15 instructions before each load: 64 entries hold four loads. The first enters with the fourth group of four; the
  // groups of the next three misses follow in 12 cycles, and wait for the first to leave. Then each group of four that
  // leaves lets one enter: 64 instructions, four misses, in the time of a miss and the cycle in which the load leaves.
  Rig rig({newLines(1u << 20, 15)}, kSharedOnly, kMemory);
  const uint64_t period = kMiss;
  EXPECT_EQ(rig.retiredIn(period * 20, period * 10), 64u * 20);
}

TEST(OutOfOrderCore, IsHeldByTheStoreQueueWhereStoresMiss) {
  // Stores to new lines: each leaves for the caches in the cycle after it retired and never waits for memory, as long
  // as there are MSHRs; 128 of them, each held for a miss of kMiss cycles: 128 stores in kMiss cycles at most, and one
  // in a cycle, so that the queue is what counts: one store, one cycle.
  std::vector<Access> stores;
  for (unsigned line = 0; line < 1u << 15; ++line) stores.push_back(storeTo(line));
  Rig rig({stores}, kSharedOnly, kMemory);
  EXPECT_EQ(rig.retiredIn(1000, 2000), 1000u);
}

TEST(OutOfOrderCore, IsHeldByTheMshrs) {
  // Eight MSHRs: eight new lines in the time of a miss, however many loads could be under way.
  HierarchyConfig caches = kSharedOnly;
  caches.llc.mshrs = 8;
  Rig rig({newLines(1u << 20, 0)}, caches, kMemory);
  EXPECT_EQ(rig.retiredIn(kMiss * 20, kMiss * 10), 8u * 20);
}

TEST(OutOfOrderCore, ALoadOfWhatAStoreWritesDoesNotWaitForTheCaches) {
  // The store queue is full of stores that the caches refuse: their MSHR is taken. A load of the last one's bytes is
  // done.
  HierarchyConfig caches = kSharedOnly;
  caches.llc.mshrs = 1;
  Rig rig({{storeTo(1), storeTo(2), loadOf(2), loadOf(2, 0, 1)}}, caches, 100000);
  rig.run(1000);
  EXPECT_EQ(rig.memory.reads, (std::vector<uint64_t>{1}));
  EXPECT_GT(rig.machine.core(0).retired(), 4u);
}

// ---- against SimpleO3, where both mean the same

/// Ramulator 2's SimpleO3 core and last-level cache as published, for traces of loads whose lines are all in the cache
/// or all new, on a memory that answers after `memory` cycles: a window of `depth` instructions; in each cycle up to
/// `ipc` leave, then up to `ipc` enter, at most one of them a load, which is the last.
class SimpleO3 {
 public:
  SimpleO3(std::vector<Access> trace, unsigned ipc, unsigned depth, unsigned hit, unsigned memory)
      : trace_(std::move(trace)), ipc_(ipc), depth_(depth), hit_(hit), memory_(memory) {
    bubbles_ = trace_[0].before;
  }

  uint64_t run(uint64_t cycles) {
    for (uint64_t now = 0; now < cycles; ++now) tick(now);
    return retired_;
  }

 private:
  void tick(uint64_t now) {
    for (unsigned leaving = 0; leaving < ipc_ && !window_.empty() && window_.front() <= now; ++leaving) {
      window_.pop_front();
      ++retired_;
    }
    unsigned entered = 0;
    while (bubbles_ > 0) {
      if (entered == ipc_ || window_.size() == depth_) return;
      window_.push_back(0);
      ++entered;
      --bubbles_;
    }
    if (entered == ipc_ || window_.size() == depth_) return;
    const uint64_t line = trace_[at_].physical / kLineBytes;
    // of a line that is on its way the load is done when it comes
    const uint64_t comes = there_.try_emplace(line, now + hit_ + memory_).first->second;
    window_.push_back(comes > now ? comes : now + hit_);
    at_ = (at_ + 1) % trace_.size();
    bubbles_ = trace_[at_].before;
  }

  const std::vector<Access> trace_;
  const unsigned ipc_, depth_, hit_, memory_;
  std::deque<uint64_t> window_;                   // when each may leave
  std::unordered_map<uint64_t, uint64_t> there_;  // when each line came
  size_t at_ = 0;
  uint32_t bubbles_;
  uint64_t retired_ = 0;
};

TEST(OutOfOrderCore, AgreesWithSimpleO3OnLoads) {
  // Where a load is the last of four instructions, and the window a multiple of four, SimpleO3's limit of one load in a
  // cycle never shows.
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Access> trace;
    const uint64_t lines = uint64_t{1} << (2 + random() % 12);
    for (unsigned number = 0; number < 5000; ++number)
      trace.push_back(loadOf(random() % lines, static_cast<uint32_t>(3 + 4 * (random() % 5))));
    const unsigned depth = 4 * static_cast<unsigned>(4 + random() % 60), hit = 1 + random() % 40,
                   memory = 2 + random() % 300;
    HierarchyConfig caches = kSharedOnly;
    caches.llc.cycles = hit;
    caches.llc.mshrs = depth;
    SimpleO3 reference(trace, 4, depth, hit, memory - 1);
    Rig rig({trace}, caches, memory, {depth, 4, depth, 32, 4});
    rig.run(20000);
    EXPECT_EQ(rig.machine.core(0).retired(), reference.run(20000)) << "seed " << seed;
  }
}

TEST(OutOfOrderCore, HasAsManyMissesUnderWayAsTheLoadQueueHas) {
  // Of 64 places in the reorder buffer loads may have eight: eight new lines in the time of a miss and the cycle in
  // which the oldest leaves.
  Rig rig({newLines(1u << 20, 0)}, kSharedOnly, kMemory, {64, 8, 8, 32, 8});
  EXPECT_EQ(rig.retiredIn(kMiss * 20, kMiss * 10), 8u * 20);
}

TEST(OutOfOrderCore, ChainsAreAsLongInAnyLoadQueue) {
  // Loads that are no instructions of their own, as the second half of an access that is not aligned, take no place in
  // the reorder buffer. In a chain each waits for the one before, however many are there.
  std::vector<Access> chain;
  for (uint64_t line = 0; line < 5000; ++line) {
    Access load = loadOf(line, 0);
    load.instruction = false;
    load.dependsOn = 1;
    chain.push_back(load);
  }
  for (const unsigned depth : {1u, 64u}) {
    Rig rig({chain}, kSharedOnly, 50, {depth, 4, 64, 32, 4});
    rig.run(20000);
    const uint64_t each = kSharedOnly.llc.cycles + 50;
    EXPECT_NEAR(static_cast<double>(rig.machine.caches().counts(0).llcAccesses), 20000.0 / static_cast<double>(each),
                20)
        << "reorder buffer " << depth;
  }
}

}  // namespace
}  // namespace weir::lab
