// SPDX-License-Identifier: Apache-2.0
/// @file
/// One simulation: the bench, a manager on each port, the reference memory, and the count of cycles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bench.hpp"
#include "manager.hpp"
#include "reference.hpp"

namespace weir::bench {

/// Runs cycles and stops with TrafficError when the controller hangs.
class Session {
 public:
  using Done = std::function<void(unsigned port, const Completion&)>;

  /// The command line is for Bench.
  Session(int argc, char** argv, uint64_t seed, Done done);

  /// One controller cycle.
  void step();

  /// Run until no burst is in flight.
  void drain();

  uint64_t cycle() const { return cycle_; }
  /// The most cycles so far in which a port had bursts in flight and saw no handshake: how far others starve it.
  uint64_t longestSilence() const { return longestSilence_; }
  bool idle() const;
  AxiManager& manager(unsigned port) { return *managers_.at(port); }
  Bench& bench() { return bench_; }
  ReferenceMemory& memory() { return memory_; }
  const ReferenceMemory& memory() const { return memory_; }

 private:
  void checkProgress();

  Bench bench_;
  ReferenceMemory memory_;
  Done done_;
  std::vector<std::unique_ptr<AxiManager>> managers_;
  uint64_t cycle_ = 0, longestSilence_ = 0;
};

/// A seed for one port, unlike those of the other ports and of neighbouring seeds.
uint64_t portSeed(uint64_t seed, unsigned port);

}  // namespace weir::bench
