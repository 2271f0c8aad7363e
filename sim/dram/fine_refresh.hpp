// SPDX-License-Identifier: Apache-2.0
/// @file
/// Fine granularity refresh of one rank: how much of a refresh a command is.
#pragma once

#include <cstdint>
#include <optional>

#include "archive.hpp"

namespace weir::dram {

/// Refresh is counted in quarters: a refresh of 1x is four, one of 2x two, one of 4x one.
constexpr int kWholeRefresh = 4;

/// What refresh commands mean (JESD79-4B 4.9): in a fixed mode all have the granularity `factor`; on the fly those with
/// BG0 high have it and the others are whole.
struct RefreshMode {
  int factor = 1;  ///< 1, 2 or 4
  bool onTheFly = false;

  void transfer(Archive& archive) {
    archive("factor", factor);
    archive("onTheFly", onTheFly);
  }

  /// The mode that A8:A6 of DDR4's mode register 3 choose (JESD79-4B 4.9.1), none for the reserved codes: 000 is 1x,
  /// 001 2x, 010 4x, 101 2x on the fly, 110 4x on the fly.
  static std::optional<RefreshMode> ofModeRegister3(std::uint32_t value) {
    switch (value >> 6 & 7u) {
      case 0:
        return RefreshMode{1, false};
      case 1:
        return RefreshMode{2, false};
      case 2:
        return RefreshMode{4, false};
      case 5:
        return RefreshMode{2, true};
      case 6:
        return RefreshMode{4, true};
      default:
        return std::nullopt;
    }
  }
};

/// Follows the granularity of one rank and whether its fine refreshes come in groups: those that make one whole refresh
/// must all be there before a whole one follows or the granularity changes (JESD79-4B 4.9.3: an even number of 2x, a
/// multiple of four of 4x, between any two of 1x and before another mode register set). Between the fine refreshes of a
/// group any other command may stand.
class FineRefresh {
 public:
  explicit FineRefresh(RefreshMode mode = {}) : mode_(mode) {}

  /// Chooses a mode.
  /// @return false if that changes the granularity while a group is incomplete
  bool choose(RefreshMode mode) {
    const bool same = mode.factor == mode_.factor;
    const bool whole = same || complete();
    if (!same) fine_ = 0;
    mode_ = mode;
    return whole;
  }

  /// Quarters that a refresh command makes up.
  /// @param fineBit BG0 of the command; BA0 on parts without bank groups
  int quarters(bool fineBit) const { return mode_.onTheFly && !fineBit ? kWholeRefresh : kWholeRefresh / mode_.factor; }

  /// Books a refresh.
  /// @return false if it is a whole one within a group
  bool refresh(int quarters) {
    if (quarters != kWholeRefresh) {
      ++fine_;
      return true;
    }
    const bool whole = complete();
    fine_ = 0;
    return whole;
  }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("mode", mode_);
    archive("fine", fine_);
  }

 private:
  bool complete() const { return fine_ % mode_.factor == 0; }

  RefreshMode mode_;
  int fine_ = 0;  ///< fine refreshes since the last whole one or change of granularity
};

}  // namespace weir::dram
