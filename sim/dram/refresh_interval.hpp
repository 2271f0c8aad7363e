// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a rank's refreshes come often enough, and not too often.
#pragma once

#include <array>
#include <cstdint>

#include "time.hpp"

namespace weir::dram {

/// Refresh accounting of one rank (JESD79-3F 4.14, JESD79-4B 4.26): a refresh falls due each tREFI; at most eight may
/// be postponed, so that no more than nine tREFI lie between two; up to eight may be pulled in, and no more than
/// sixteen may stand within two tREFI. Counting starts when there is something to keep: start().
///
/// The rate that refreshes are owed at is tREFW / 8192 (7812.5 ns), of which JEDEC's 7.8 us is the rounded form.
class RefreshInterval {
 public:
  /// What is wrong with a refresh, or with its absence.
  enum class Fault { none, interval, postponed, pulledIn };

  /// @param tREFI,tREFW of the part, in picoseconds
  RefreshInterval(std::int64_t tREFI, std::int64_t tREFW, int clockPs)
      : interval_(9 * tREFI / clockPs), duePs_(tREFW / kCommands), window_(2 * tREFI / clockPs), clockPs_(clockPs) {}

  bool started() const { return started_; }

  /// Starts counting at `now`, with nothing owed.
  void start(Clock now) {
    started_ = true;
    last_ = now;
    paidPs_ = now * clockPs_;
    updateDeadline();
  }

  /// Stops counting: the rank is in reset and keeps nothing.
  void stop() {
    started_ = false;
    deadline_ = kForever;
  }

  /// Last clock at which the next refresh may come; kForever when not counting, or when its absence was reported.
  Clock deadline() const { return deadline_; }
  /// The last refresh, or the start of counting.
  Clock last() const { return last_; }
  /// The sixteenth last refresh.
  Clock sixteenthLast() const { return ring_[next_]; }
  /// Most clocks between two refreshes: nine tREFI.
  Clock longest() const { return interval_; }

  /// Tells the absence of a refresh, once until the next comes.
  Fault absent(Clock now) {
    if (now <= deadline_) return Fault::none;
    deadline_ = kForever;
    return now > last_ + interval_ ? Fault::interval : Fault::postponed;
  }

  /// Books a refresh at `now`. Call absent() first.
  Fault refresh(Clock now) {
    if (!started_) start(now);
    const Fault fault = now - ring_[next_] < window_ ? Fault::pulledIn : Fault::none;
    ring_[next_] = now;
    next_ = (next_ + 1) % ring_.size();
    const std::int64_t nowPs = now * clockPs_;
    const std::int64_t earliest = nowPs - 9 * duePs_;
    if (paidPs_ < earliest) paidPs_ = earliest;  // the excess was reported: not again for each that follows
    paidPs_ += duePs_;
    const std::int64_t latest = nowPs + 8 * duePs_;
    if (paidPs_ > latest) paidPs_ = latest;  // more than eight in advance earn nothing
    last_ = now;
    updateDeadline();
    return fault;
  }

  /// Refresh commands that cover all rows of a rank once.
  static constexpr int kCommands = 8192;

 private:
  void updateDeadline() {
    const Clock owed = (paidPs_ + 9 * duePs_) / clockPs_;
    deadline_ = owed < last_ + interval_ ? owed : last_ + interval_;
  }

  Clock interval_;
  std::int64_t duePs_;
  Clock window_;
  int clockPs_;
  bool started_ = false;
  Clock last_ = kNever;
  Clock deadline_ = kForever;
  std::int64_t paidPs_ = 0;  ///< the time up to which refreshes are paid for
  std::array<Clock, 16> ring_ = [] {
    std::array<Clock, 16> ring{};
    ring.fill(kNever);
    return ring;
  }();
  std::size_t next_ = 0;
};

}  // namespace weir::dram
