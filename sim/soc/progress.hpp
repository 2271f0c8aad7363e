// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace weir::soc {

/// Shows on stderr how far and how fast the simulation is: a live line on a terminal, a line each time elsewhere.
class Progress {
 public:
  /// @param interval seconds between two reports; 0 for none
  explicit Progress(double interval);

  /// The simulation begins, with a cycle.
  void begin(uint64_t cycle);

  /// To be called now and then; reports if it is time. @param stage what the guest is doing, may be empty
  void update(uint64_t cycle, const std::string& stage);

  /// Takes the live line away so that other text can stand there.
  void wipe();

  /// Reports the whole run, if reports are wanted.
  void finish(uint64_t cycle, const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;

  std::string describe(uint64_t cycle, double kilohertz, const std::string& what) const;

  double interval_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  uint64_t first_cycle_ = 0;
  uint64_t last_cycle_ = 0;
};

}  // namespace weir::soc
