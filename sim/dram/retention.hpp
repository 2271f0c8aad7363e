// SPDX-License-Identifier: Apache-2.0
/// @file
/// When each row was last refreshed.
#pragma once

#include <cstdint>
#include <vector>

#include "archive.hpp"
#include "config.hpp"
#include "part.hpp"
#include "refresh_interval.hpp"
#include "time.hpp"

namespace weir::dram {

/// Refresh times of the rows of one rank. Each refresh command restores the next of 8192 equal parts of the rows, in
/// all banks, or as much less as it is finer; an activate restores its own row. A row keeps its data for tREFW and the
/// sixteen refresh intervals that lie between a refresh with eight pulled in and one with eight postponed: the longest
/// that RefreshInterval lets pass. Rows are judged only when they are activated, so that a refresh costs few stores.
class Retention {
 public:
  /// @param part with the refresh times in force
  Retention(const Config& config, const Part& part)
      : limit_((part.tREFW.picoseconds + 16 * part.tREFW.picoseconds / kCommands) / config.clockPs),
        rows_(1u << config.rowBits),
        parts_(rows_ < kQuarters ? rows_ : kQuarters),
        // with few rows each whole refresh restores one: its quarters restore it together, the last of them
        quartersOfPart_(rows_ < kCommands ? kWholeRefresh : kQuarters / parts_),
        times_(parts_) {}

  /// Refreshes every row: the start of operation.
  void restoreAll(Clock now) {
    times_.assign(parts_, Times{now, kNever});
    next_ = 0;
    quarters_ = 0;
  }

  /// A refresh command of so many quarters.
  void refresh(Clock now, int quarters) {
    for (quarters_ += static_cast<std::uint32_t>(quarters); quarters_ >= quartersOfPart_; quarters_ -= quartersOfPart_)
      restore(now);
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

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("times", times_);
    archive("next", next_);
    archive("quarters", quarters_);
  }

 private:
  struct Times {
    Clock refreshed = 0;
    Clock lostBefore = kNever;  ///< rows of this part that were restored only before this time have lost their data

    void transfer(Archive& archive) {
      archive("refreshed", refreshed);
      archive("lostBefore", lostBefore);
    }
  };
  static constexpr std::uint32_t kCommands = RefreshInterval::kCommands;
  static constexpr std::uint32_t kQuarters = kCommands * kWholeRefresh;

  void restore(Clock now) {
    Times& part = times_[next_];
    if (now - part.refreshed > limit_) part.lostBefore = now - limit_;
    part.refreshed = now;
    next_ = (next_ + 1) % parts_;
  }

  std::size_t partOf(std::uint32_t row) const { return std::uint64_t{row} * parts_ / rows_; }

  Clock limit_;
  std::uint32_t rows_, parts_, quartersOfPart_;
  std::vector<Times> times_;
  std::uint32_t next_ = 0;
  std::uint32_t quarters_ = 0;  ///< refreshed of the part at next_
};

}  // namespace weir::dram
