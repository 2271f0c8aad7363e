// SPDX-License-Identifier: Apache-2.0
/// @file
/// The caches between the cores and memory.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../core/core.hpp"
#include "../memory/memory.hpp"
#include "set_associative.hpp"
#include "stride_prefetcher.hpp"

namespace weir::lab {

/// `cycles` of the cores from a hit to its data. `mshrs` lines may be under way; of the private cache in each.
struct CacheConfig {
  uint64_t bytes;
  unsigned ways, cycles, mshrs;
};

struct HierarchyConfig {
  std::optional<CacheConfig> l1;  // private, or none
  CacheConfig llc;                // shared
  unsigned writeBacks;            // lines that wait to be written to memory before misses are refused
  std::optional<StrideConfig> prefetcher;
};

/// What the caches count for a core. `llcMisses` are lines asked of memory for it, without prefetches.
struct CacheCounts {
  uint64_t l1Accesses = 0, l1Misses = 0, llcAccesses = 0, llcMisses = 0;
  uint64_t writeBacks = 0, prefetches = 0, usefulPrefetches = 0;
};

/// A private write-back cache of each core, which may be left out, over a shared one, which is neither inclusive nor
/// exclusive; both allocate on reads and writes, and replace what was not used for longest. Private caches keep each
/// other coherent as MESI has it, with snoops that take no time of their own; a line that only another private cache
/// has comes at the latency of the shared one. A miss of the shared cache takes a way, an MSHR, and, where it makes a
/// dirty line leave, an entry among the write-backs; without one of them the core's access is refused. Lines that leave
/// a private cache always find room. A line that is missed while it waits to be written comes back instead.
class Hierarchy final : public DataPort {
 public:
  Hierarchy(unsigned cores, const HierarchyConfig& config, Memory& memory);
  void attach(const std::vector<Core*>& cores) { cores_ = cores; }

  Answer access(unsigned core, uint64_t address, bool write, uint64_t token, uint64_t now) override;

  /// An access that takes no time and asks nothing of memory: the caches hold afterwards what they would hold after it.
  /// What is written back is lost. Only while nothing is under way.
  void touch(unsigned core, uint64_t address, bool write);

  /// When the next line comes from the shared cache into a private one; kNever when none is on its way.
  uint64_t nextFill() const { return fills_.empty() ? kNever : fills_.top().at; }
  /// Take the lines that come until `now`.
  void fill(uint64_t now);

  /// A cycle of the controller begins at `now`: offer it what waits.
  void offer(uint64_t now);
  /// The data of a line are there at `now`; or its write is answered.
  void readDone(uint64_t line, uint64_t now);
  void writeDone(uint64_t line);

  const CacheCounts& counts(unsigned core) const { return counts_[core]; }
  /// Requests that memory has accepted.
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }

 private:
  struct L1Mshr {
    uint64_t line;
    bool write;
    uint64_t at;  // cycle at which the line comes, kNever while memory has it
    std::vector<uint64_t> tokens;
  };
  struct Mshr {
    std::vector<unsigned> cores;                        // whose private caches wait
    std::vector<std::pair<unsigned, uint64_t>> tokens;  // without private caches: which accesses do
  };
  struct Fill {
    uint64_t at;
    unsigned core;
    uint64_t line;
    bool operator>(const Fill& other) const { return at > other.at; }
  };
  struct Request {
    uint64_t line, at;
    unsigned core;
  };

  Answer shared(unsigned core, uint64_t line, bool write, std::optional<uint64_t> token, uint64_t arrival);
  /// Give a line that is not there a way of the shared cache, and write back what was in it; nullptr when there is
  /// none.
  CacheLine* place(unsigned core, uint64_t line, uint64_t at);
  /// Whether the shared cache may miss and leave so many MSHRs to others.
  bool roomForMiss(unsigned left) const {
    return mshrs_.size() + left < config_.llc.mshrs && writeBacks_.size() < config_.writeBacks;
  }
  /// An access waits for a line that memory has been asked for, or its core's private cache does.
  void wait(uint64_t line, unsigned core, std::optional<uint64_t> token);
  /// The write-back of a line that memory has not accepted, or the end.
  std::deque<Request>::iterator waiting(uint64_t line);
  void prefetch(unsigned core, uint64_t line, uint64_t at);
  /// A core uses a line that is in its private cache.
  void usePrivate(unsigned core, CacheLine& line, bool write, uint64_t now);
  /// Give a line that is not there a way of the core's private cache; what is in it leaves.
  void placePrivate(unsigned core, uint64_t line, bool write, uint64_t now);
  void fillPrivate(unsigned core, uint64_t line, uint64_t now);
  void leavePrivate(unsigned core, uint64_t line, uint64_t now);
  bool inPrivate(uint64_t line);
  /// Another core reads a line, or writes it: what the private caches but that of `core` do.
  bool snoop(unsigned core, uint64_t line, bool write, uint64_t now);
  Answer refuse(unsigned core);
  /// What was refused to a core may be tried again.
  void retry(unsigned core, uint64_t now);
  void retryAll(uint64_t now);

  const HierarchyConfig config_;
  Memory& memory_;
  std::vector<Core*> cores_;
  std::vector<SetAssociative> privates_;
  std::vector<std::vector<L1Mshr>> privateMshrs_;
  SetAssociative shared_;
  std::unordered_map<uint64_t, Mshr> mshrs_;
  std::vector<StridePrefetcher> prefetchers_;
  std::priority_queue<Fill, std::vector<Fill>, std::greater<>> fills_;
  std::deque<Request> requests_, writeBacks_;
  std::unordered_set<uint64_t> written_;  // lines whose write memory has not answered
  std::vector<bool> refused_;
  std::vector<CacheCounts> counts_;
  uint64_t reads_ = 0, writes_ = 0;
};

}  // namespace weir::lab
