// SPDX-License-Identifier: Apache-2.0
/// @file
/// When each row was last refreshed.
#pragma once

#include <cstdint>
#include <vector>

#include "config.hpp"
#include "part.hpp"
#include "refresh_interval.hpp"
#include "time.hpp"

namespace weir::dram {

/// Refresh times of the rows of one rank. Each refresh command restores the next of 8192 equal parts of the rows, in
/// all banks; an activate restores its own row. A row keeps its data for tREFW and the sixteen refresh intervals that
/// lie between a refresh with eight pulled in and one with eight postponed: the longest that RefreshInterval lets pass.
/// Rows are judged only when they are activated, so that a refresh costs one store.
class Retention {
 public:
  Retention(const Config& config, const Part& part)
      : limit_((part.tREFW.picoseconds + 16 * part.tREFW.picoseconds / kParts) / config.clockPs),
        rows_(1u << config.rowBits),
        parts_(rows_ < kParts ? rows_ : kParts),
        times_(parts_) {}

  /// Refreshes every row: the start of operation.
  void restoreAll(Clock now) {
    times_.assign(parts_, Times{now, kNever});
    next_ = 0;
  }

  /// A refresh command.
  void refresh(Clock now) {
    Times& part = times_[next_];
    if (now - part.refreshed > limit_) part.lostBefore = now - limit_;
    part.refreshed = now;
    next_ = (next_ + 1) % parts_;
  }

  /// Whether a row that was last activated or preloaded at `restored` has lost its data by `now`.
  bool lost(std::uint32_t row, Clock restored, Clock now) const {
    const Times& part = times_[partOf(row)];
    return restored < part.lostBefore || (now - part.refreshed > limit_ && now - restored > limit_);
  }

  /// When the row was last restored by a refresh command.
  Clock refreshed(std::uint32_t row) const { return times_[partOf(row)].refreshed; }

  /// How long a row keeps its data, in clocks.
  Clock limit() const { return limit_; }

 private:
  struct Times {
    Clock refreshed = 0;
    Clock lostBefore = kNever;  ///< rows of this part that were restored only before this time have lost their data
  };
  static constexpr std::uint32_t kParts = RefreshInterval::kCommands;

  std::size_t partOf(std::uint32_t row) const { return std::uint64_t{row} * parts_ / rows_; }

  Clock limit_;
  std::uint32_t rows_, parts_;
  std::vector<Times> times_;
  std::uint32_t next_ = 0;
};

}  // namespace weir::dram
