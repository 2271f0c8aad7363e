// SPDX-License-Identifier: Apache-2.0
/// @file
/// Who holds the data bus when.
#pragma once

#include <array>
#include <optional>

#include "archive.hpp"
#include "config.hpp"
#include "time.hpp"

namespace weir::dram {

/// The bursts on the shared data bus of the last few column commands, in DRAM clocks at the chips' pins: a read's burst
/// begins CL after its command, a write's CWL after it, and holds the bus for four clocks, or as many times four as the
/// memory is slower.
class DataBus {
 public:
  /// A burst too close to that of a new command.
  struct Clash {
    Clock start;       ///< of the other burst
    bool overlapping;  ///< else only the gap is too short
  };

  /// Takes the bus for a burst that begins at `start`.
  /// @param length clocks that a burst holds the bus
  /// @param gap clocks that must lie free between bursts of two ranks (tRTRS)
  /// @return the burst of another rank that it overlaps or comes too close to
  std::optional<Clash> take(int rank, Clock start, Clock length, Clock gap) {
    std::optional<Clash> clash;
    for (const Burst& other : bursts_) {
      if (other.rank == rank) continue;
      const Clock distance = other.start > start ? other.start - start : start - other.start;
      if (distance < length) {
        clash = Clash{other.start, true};
        break;
      }
      if (distance < length + gap) clash = Clash{other.start, false};
    }
    bursts_[next_] = {rank, start};
    next_ = (next_ + 1) % bursts_.size();
    return clash;
  }

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("bursts", bursts_);
    archive("next", next_);
  }

 private:
  struct Burst {
    int rank = -1;
    Clock start = kNever;

    void transfer(Archive& archive) {
      archive("rank", rank);
      archive("start", start);
    }
  };
  // Reads run ahead of writes by at most CL - CWL clocks: far fewer than eight bursts.
  std::array<Burst, 8> bursts_{};
  std::size_t next_ = 0;
};

}  // namespace weir::dram
