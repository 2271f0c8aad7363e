// SPDX-License-Identifier: Apache-2.0
/// @file
/// Counts from the DFI what a controller's own counters should say.
#pragma once

#include <vector>

#include "archive.hpp"
#include "command.hpp"
#include "config.hpp"
#include "statistics.hpp"
#include "time.hpp"

namespace weir::dram {

/// Watches the commands and CKE of a channel and keeps its Statistics, whose definitions are theirs. Times come in
/// order. Whether an access was a row miss or a conflict cannot be seen on the DFI; whether its row had served another
/// since the activate can: those are hits.
class Recount {
 public:
  explicit Recount(const Config& config);

  /// A command was received, before it is known whether the rank takes it.
  void received(const Issued& issued);
  /// The rank did not take it.
  void ignored() { ++counts_.ignored; }
  /// The rank took a command other than a refresh.
  /// @param autoPrecharge when the bank begins to precharge by itself, for a column command that asks for it
  void taken(const Issued& issued, Clock autoPrecharge);
  /// The rank took a refresh.
  /// @param time how long it takes, in clocks
  void refresh(const Issued& issued, bool fine, Clock time);
  /// RESET# and CKE of a rank (true = high) from `now` on; in reset its banks close.
  void pins(int rank, bool resetN, bool cke, Clock now);
  /// The model was put back to its start: all banks are closed, CKE is high; the counts go on.
  void restart(Clock now);

  /// Counts of all clocks before `now`, which is the end of `cycles` controller cycles.
  const Statistics& upTo(Clock now, std::uint64_t cycles);

  /// Writes the state to an archive or takes it from one.
  void transfer(Archive& archive) {
    archive("counts", counts_);
    archive("ranks", ranks_);
  }

 private:
  struct Bank {
    bool open = false;    ///< and no auto precharge is to close it
    bool served = false;  ///< its row has served a column command

    void transfer(Archive& archive) {
      archive("open", open);
      archive("served", served);
    }
  };
  struct Rank {
    std::vector<Bank> banks;
    int open = 0;              ///< banks that are
    Clock closed = kNever;     ///< when the last of the others closed or will by itself
    Clock refreshed = kNever;  ///< end of the refresh
    bool cke = true;
    Clock counted = 0;  ///< up to which its clocks are counted

    void transfer(Archive& archive) {
      archive("banks", banks);
      archive("open", open);
      archive("closed", closed);
      archive("refreshed", refreshed);
      archive("cke", cke);
      archive("counted", counted);
    }
  };

  std::size_t countedWith(const Issued& issued) const;
  void close(std::size_t rank, Bank& bank, Clock now, Clock at);
  void count(std::size_t rank, Clock now);
  static void reset(Rank& rank);

  Config config_;
  Statistics counts_;
  std::vector<Rank> ranks_;  ///< and in place of a rank its groups of banks, where these refresh apart
};

}  // namespace weir::dram
