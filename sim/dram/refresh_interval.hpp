// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether a rank's refreshes come often enough, and not too often.
#pragma once

#include <array>
#include <cstdint>

#include "archive.hpp"
#include "fine_refresh.hpp"
#include "time.hpp"

namespace weir::dram {

/// Refresh accounting of one rank (JESD79-3F 4.14, JESD79-4B 4.26): a refresh falls due each tREFI; at most eight may
/// be postponed, so that no more than nine tREFI lie between two; up to eight may be pulled in, and no more than
/// sixteen may stand within two tREFI. Of a standard that lets fewer be postponed all these are fewer, in proportion.
/// Counting starts when there is something to keep: start().
///
/// A fine refresh counts as the part of a whole one that it is, so that eight tREFI's worth may be postponed or pulled
/// in whatever the granularity: 16 of 2x, 32 of 4x. The interval after a refresh is that of its granularity: no more
/// than 17 tREFI2 or 33 tREFI4 until the next, tREFI2 and tREFI4 being a half and a quarter of tREFI.
///
/// The rate that refreshes are owed at is tREFW / 8192 (7812.5 ns), of which JEDEC's 7.8 us is the rounded form.
class RefreshInterval {
 public:
  /// What is wrong with a refresh, or with its absence.
  enum class Fault { none, interval, postponed, pulledIn };

  /// @param tREFI,tREFW in force, in picoseconds
  /// @param mostPostponed whole refreshes that may be postponed, at most eight
  RefreshInterval(std::int64_t tREFI, std::int64_t tREFW, int clockPs, int mostPostponed)
      : tREFI_(tREFI),
        due_(tREFW / kCommands),
        window_(2 * tREFI / clockPs),
        clock_(kWholeRefresh * clockPs),
        postponed_(mostPostponed * kWholeRefresh) {}

  bool started() const { return started_; }

  /// Starts counting at `now`, with nothing owed.
  /// @param quarters of the refreshes to come, as far as that is known
  void start(Clock now, int quarters) {
    started_ = true;
    last_ = now;
    paid_ = now * clock_;
    lastQuarters_ = quarters;
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
  /// The refresh that a refresh of so many quarters must keep two tREFI away from: with those since, it would be more
  /// than twice as many as may be postponed.
  Clock mostWithinWindow(int quarters) const {
    const std::size_t most = 2 * static_cast<std::size_t>(postponed_);
    return ring_[(next_ + ring_.size() - most + static_cast<std::size_t>(quarters) - 1) % ring_.size()];
  }
  /// Most clocks between two refreshes: nine tREFI after a whole one.
  Clock longest() const { return postponable() * tREFI_ / clock_; }

  /// Tells the absence of a refresh, once until the next comes.
  Fault absent(Clock now) {
    if (now <= deadline_) return Fault::none;
    deadline_ = kForever;
    return now > last_ + longest() ? Fault::interval : Fault::postponed;
  }

  /// Books a refresh of so many quarters at `now`. Call absent() first.
  Fault refresh(Clock now, int quarters) {
    if (!started_) start(now, quarters);
    const Fault fault = now - mostWithinWindow(quarters) < window_ ? Fault::pulledIn : Fault::none;
    for (int i = 0; i < quarters; ++i) {
      ring_[next_] = now;
      next_ = (next_ + 1) % ring_.size();
    }
    const std::int64_t earliest = now * clock_ - postponable() * due_;
    if (paid_ < earliest) paid_ = earliest;  // the excess was reported: not again for each that follows
    paid_ += quarters * due_;
    const std::int64_t latest = now * clock_ + postponed_ * due_;
    if (paid_ > latest) paid_ = latest;  // more than that in advance earn nothing
    last_ = now;
    lastQuarters_ = quarters;
    updateDeadline();
    return fault;
  }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("started", started_);
    archive("last", last_);
    archive("lastQuarters", lastQuarters_);
    archive("deadline", deadline_);
    archive("paid", paid_);
    archive("ring", ring_);
    archive("next", next_);
  }

  /// Whole refreshes that cover all rows of a rank once.
  static constexpr int kCommands = 8192;

 private:
  /// Quarters that may fall due until the next refresh: those postponed, and the interval of the last.
  std::int64_t postponable() const { return postponed_ + lastQuarters_; }

  void updateDeadline() {
    const Clock owed = (paid_ + postponable() * due_) / clock_;
    const Clock interval = last_ + longest();
    deadline_ = owed < interval ? owed : interval;
  }

  std::int64_t tREFI_;  ///< picoseconds
  std::int64_t due_;    ///< what a quarter of a refresh pays for, in quarters of a picosecond
  Clock window_;
  std::int64_t clock_;      ///< length of a clock, in quarters of a picosecond
  std::int64_t postponed_;  ///< quarters that may be postponed or pulled in
  bool started_ = false;
  Clock last_ = kNever;
  int lastQuarters_ = kWholeRefresh;
  Clock deadline_ = kForever;
  std::int64_t paid_ = 0;                             ///< the time up to which refreshes are paid for, in the same
  std::array<Clock, 16 * kWholeRefresh> ring_ = [] {  ///< times of the last quarters
    std::array<Clock, 16 * kWholeRefresh> ring{};
    ring.fill(kNever);
    return ring;
  }();
  std::size_t next_ = 0;
};

}  // namespace weir::dram
