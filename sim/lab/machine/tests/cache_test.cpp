// SPDX-License-Identifier: Apache-2.0
/// @file
/// The caches: what reaches memory, and what does not.

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "rig.hpp"

namespace weir::lab {
namespace {

constexpr CacheConfig kPrivate = {4 * 1024, 2, 1, 16};
constexpr CacheConfig kShared = {32 * 1024, 8, 10, 32};
const HierarchyConfig kBoth = {kPrivate, kShared, 16, std::nullopt};

TEST(Hierarchy, ALineIsReadOnceHoweverManyAskForIt) {
  std::vector<Access> loads;
  for (unsigned number = 0; number < 32; ++number) loads.push_back(loadOf(7));
  Rig rig({loads, loads, loads}, kBoth, 50);
  rig.run(1000);
  EXPECT_EQ(rig.memory.reads, (std::vector<uint64_t>{7}));
}

TEST(Hierarchy, DirtyLinesAreWrittenOnceWhenTheyLeave) {
  // A sweep of stores over four times the shared cache: each line of the first sweep is read once, and written once
  // before the second sweep reads it again.
  constexpr unsigned kLines = 4 * 32 * 1024 / kLineBytes;
  std::vector<Access> stores;
  for (unsigned line = 0; line < kLines; ++line) stores.push_back(storeTo(line, 3));
  Rig rig({stores}, kBoth, 50);
  std::map<uint64_t, int> balance;  // reads less writes of a line
  rig.run(60000);
  EXPECT_GT(rig.memory.reads.size(), 3 * kLines);
  for (const uint64_t line : rig.memory.reads) ++balance[line];
  for (const uint64_t line : rig.memory.writes) --balance[line];
  for (const auto& [line, difference] : balance) EXPECT_TRUE(difference == 0 || difference == 1) << line;
  EXPECT_FALSE(rig.memory.broken);
}

TEST(Hierarchy, ALineThatIsStoredToWhereItLiesIsWritten) {
  // Each line is loaded and then stored to, which hits. Twice over all of them: the first sweep's are written, each
  // once.
  constexpr unsigned kLines = 4 * 32 * 1024 / kLineBytes;
  std::vector<Access> accesses;
  for (unsigned line = 0; line < kLines; ++line) {
    accesses.push_back(loadOf(line));
    accesses.push_back(storeTo(line, 1000));  // when the load's line is there
  }
  Rig rig({accesses}, kBoth, 50);
  rig.run(2 * 260 * kLines);
  std::map<uint64_t, int> written;
  for (const uint64_t line : rig.memory.writes) ++written[line];
  for (unsigned line = 0; line < kLines; ++line) EXPECT_GE(written[line], 1) << line;
  EXPECT_LE(rig.memory.writes.size(), rig.memory.reads.size());
}

TEST(Hierarchy, CleanLinesAreNeverWritten) {
  std::vector<Access> loads;
  for (unsigned line = 0; line < 4096; ++line) loads.push_back(loadOf(line, 3));
  Rig rig({loads}, kBoth, 50);
  rig.run(60000);
  EXPECT_GT(rig.memory.reads.size(), 4096u);
  EXPECT_TRUE(rig.memory.writes.empty());
}

TEST(Hierarchy, FilledCachesHoldWhatTheyWouldHoldAfterTheSameAccesses) {
  for (const auto& caches : {kBoth, HierarchyConfig{std::nullopt, kShared, 16, std::nullopt}})
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      std::mt19937_64 random(seed);
      std::vector<Access> first, second;
      // so far apart that each is done before the next one begins
      for (unsigned number = 0; number < 6000; ++number) {
        const uint64_t line = random() % 1024;
        (number < 4000 ? first : second).push_back(random() % 3 == 0 ? storeTo(line, 400) : loadOf(line, 400));
      }
      std::vector<Access> both = first;
      both.insert(both.end(), second.begin(), second.end());
      Rig whole({both}, caches, 20), filled({second}, caches, 20);
      const auto runFor = [](Rig& rig, size_t accesses) {
        while (rig.machine.core(0).retired() < accesses * 401) rig.run(1);
      };
      runFor(whole, first.size());
      const size_t reads = whole.memory.reads.size(), writes = whole.memory.writes.size();
      runFor(whole, both.size());
      for (const Access& access : first) filled.machine.caches().touch(0, access.physical, access.write);
      EXPECT_TRUE(filled.memory.reads.empty() && filled.memory.writes.empty());
      runFor(filled, second.size());
      const auto behind = [](const std::vector<uint64_t>& all, size_t from) {
        return std::vector<uint64_t>(all.begin() + static_cast<long>(from), all.end());
      };
      EXPECT_GT(filled.memory.reads.size(), 300u);
      EXPECT_EQ(filled.memory.reads, behind(whole.memory.reads, reads));
      EXPECT_EQ(filled.memory.writes, behind(whole.memory.writes, writes));
    }
}

TEST(Hierarchy, MissesAreThoseOfAnLruCache) {
  // One core without private cache, one access at a time: hits and misses are those of a list kept in the order of use.
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Access> accesses;
    for (unsigned number = 0; number < 20000; ++number) {
      accesses.push_back(loadOf(random() % 1024, 0, 1));
    }
    const HierarchyConfig caches = {std::nullopt, kShared, 16, std::nullopt};
    Rig rig({accesses}, caches, 3, {1, 1, 1, 1, 1});
    while (rig.machine.core(0).retired() < accesses.size()) rig.run(1);
    constexpr unsigned kSets = 32 * 1024 / kLineBytes / 8;
    std::vector<std::vector<uint64_t>> sets(kSets);
    uint64_t misses = 0;
    for (const Access& access : accesses) {
      const uint64_t line = access.physical / kLineBytes;
      std::vector<uint64_t>& set = sets[line % kSets];
      const auto found = std::find(set.begin(), set.end(), line);
      if (found != set.end())
        set.erase(found);
      else
        ++misses;
      set.insert(set.begin(), line);
      if (set.size() > 8) set.pop_back();
    }
    EXPECT_EQ(rig.memory.reads.size(), misses) << "seed " << seed;
  }
}

TEST(Hierarchy, AWriteTakesALineFromOtherCoresAndALoadBringsItBack) {
  // Core 0 writes a line again and again, core 1 reads it: it goes between them, memory sees one read.
  Rig rig({{storeTo(9, 20)}, {loadOf(9, 20)}}, kBoth, 50);
  rig.run(20000);
  EXPECT_EQ(rig.memory.reads, (std::vector<uint64_t>{9}));
  EXPECT_GT(rig.machine.caches().counts(1).l1Misses, 100u);
}

TEST(Hierarchy, NoLineIsAskedForWhileItIsReadOrWritten) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<Access>> traces(4);
    for (auto& trace : traces)
      for (unsigned number = 0; number < 3000; ++number) {
        const uint64_t line = random() % 2048;
        trace.push_back(random() % 2 == 0 ? storeTo(line, random() % 4) : loadOf(line, random() % 4, random() % 3));
      }
    HierarchyConfig caches = kBoth;
    caches.llc.mshrs = 1 + random() % 32;
    caches.writeBacks = 1 + random() % 16;
    if (random() % 2 == 0) caches.prefetcher = StrideConfig{16, 2, 1};
    const unsigned readCycles = 1 + random() % 100, ratio = 1 + random() % 16, writeCycles = 1 + random() % 300;
    Rig rig(traces, caches, readCycles, kCore, ratio, writeCycles);
    rig.run(20000);
    EXPECT_FALSE(rig.memory.broken) << "seed " << seed;
    // and nobody is left behind
    for (unsigned core = 0; core < 4; ++core) EXPECT_GT(rig.machine.core(core).retired(), 100u) << "seed " << seed;
  }
}

TEST(StridePrefetcher, GoesAheadOfAStrideWithinThePage) {
  StridePrefetcher prefetcher({4, 2, 1});
  EXPECT_TRUE(prefetcher.missed(64).empty());
  EXPECT_TRUE(prefetcher.missed(67).empty());
  EXPECT_EQ(prefetcher.missed(70), (std::vector<uint64_t>{73, 76}));
  EXPECT_TRUE(prefetcher.missed(71).empty());
  EXPECT_TRUE(prefetcher.missed(126).empty());
  EXPECT_TRUE(prefetcher.missed(127).empty());  // what would follow is in the next page
}

TEST(StridePrefetcher, MakesMissesHits) {
  std::vector<Access> loads;
  for (unsigned line = 0; line < 1u << 16; ++line) loads.push_back(loadOf(line, 200));
  HierarchyConfig caches = {kPrivate, kShared, 16, std::nullopt};
  Rig without({loads}, caches, 200);
  without.run(50000);
  caches.prefetcher = StrideConfig{16, 4, 1};
  Rig with({loads}, caches, 200);
  with.run(50000);
  EXPECT_GT(with.machine.core(0).retired(), without.machine.core(0).retired() * 11 / 10);
  EXPECT_GT(with.machine.caches().counts(0).usefulPrefetches, 200u);
  EXPECT_LE(with.machine.caches().counts(0).usefulPrefetches, with.machine.caches().counts(0).prefetches);
}

TEST(StridePrefetcher, DoesNotAskMemoryForWhatThePrivateCacheOfItsCoreHas) {
  // The shared cache, of four sets of two ways, has lost line 6 to lines 130 and 138; the private one, of 32 sets, has
  // not. Loads of 0, 2 and 4 then make it the next of a stride.
  const HierarchyConfig caches = {kPrivate, {4 * 2 * kLineBytes, 2, 10, 32}, 16, StrideConfig{16, 1, 1}};
  Rig rig({{loadOf(0, 1000), loadOf(2, 1000), loadOf(4, 1000), loadOf(6, 1000)}}, caches, 50);
  for (const uint64_t line : {6, 130, 138}) rig.machine.caches().touch(0, line * kLineBytes, false);
  rig.run(5000);
  EXPECT_EQ(rig.memory.reads, (std::vector<uint64_t>{0, 2, 4}));
}

}  // namespace
}  // namespace weir::lab
