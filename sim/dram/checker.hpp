// SPDX-License-Identifier: Apache-2.0
/// @file
/// The protocol checker: JEDEC's rules for every command, written from the standards alone.
#pragma once

#include <vector>

#include "archive.hpp"
#include "clocks.hpp"
#include "command.hpp"
#include "config.hpp"
#include "data_bus.hpp"
#include "fine_refresh.hpp"
#include "modes.hpp"
#include "part.hpp"
#include "rank.hpp"
#include "refresh_interval.hpp"
#include "report.hpp"
#include "termination.hpp"
#include "violations.hpp"

namespace weir::dram {

/// Judges the commands of all ranks and follows the state of their banks. It takes nothing from a controller: timings
/// come from the part's table in nanoseconds. A command that breaks a rule is reported and then carried out as well as
/// it can be, so that one fault is not reported again and again.
class Checker {
 public:
  /// @param part of the preset table
  Checker(const Config& config, const Part& part, Violations& violations);

  /// Judges by other features from `now` on. Banks stay as they are; refreshes are counted anew, with nothing owed.
  void choose(const Features& features, Clock now);

  /// Judges and carries out a command. Commands come in the order of time.
  /// @return whether the rank took it; one without CKE, in reset or before power-up has no effect
  bool command(const Issued& issued);

  /// Follows RESET# and CKE (true = high) of a rank at `now`.
  void pins(int rank, bool resetN, bool cke, Clock now);

  /// Judges the ODT pin of a rank (true = high) at `now`, before the commands of that clock.
  void odt(int rank, bool high, Clock now);

  /// Reports refreshes that did not come in time. Cheap while none is late.
  void time(Clock now) {
    if (now > nextDeadline_) lateRefreshes(now);
  }

  /// Whether the rank keeps what is stored: it is initialised and its refreshes are counted.
  bool keeping(int rank) const { return refreshes_[config_.refreshedWith(rank, 0)].started(); }
  const Bank& bank(int rank, int bank) const {
    return ranks_[static_cast<std::size_t>(rank)].banks[static_cast<std::size_t>(bank)];
  }
  bool multiPurposeRead(int rank) const { return modes_[static_cast<std::size_t>(rank)].multiPurposeRead(); }
  /// Quarters of a whole refresh that a refresh command makes up.
  int refreshQuarters(const Issued& issued) const;
  /// Whether a refresh or a precharge of all banks is of the whole rank, of a standard that has such of sets of banks
  /// too.
  bool ofWholeRank(const Issued& issued) const;
  /// Clocks that the last refresh of a bank takes.
  Clock refreshTime(int rank, int bank) const { return lastRefresh_[config_.refreshedWith(rank, bank)].time; }
  const Clocks& clocks() const { return t_; }

  /// All ranks as at the start of the simulation, at `now`.
  void restart(Clock now);

  /// Writes the state to an archive or takes it from one.
  /// @param features in force, which the archive does not have from here
  void transfer(Archive& archive, const Features& features);

 private:
  void activate(const Issued& issued, Rank& rank, const Report& report);
  void column(const Issued& issued, Rank& rank, const Report& report);
  void read(const Issued& issued, Rank& rank, Bank& bank, const Report& report);
  void write(const Issued& issued, Rank& rank, Bank& bank, const Report& report);
  void precharging(const Issued& issued, Rank& rank, const Report& report);
  void precharge(Bank& bank, const Issued& issued, const Report& report);
  void refresh(const Issued& issued, Rank& rank, const Report& report);
  void refreshSet(const Issued& issued, Rank& rank, const Report& report);
  void refreshed(std::size_t each, int quarters, Clock time, Clock now, const Report& report);
  void chooseGranularity(const Issued& issued, const Report& report);
  void calibrate(const Issued& issued, Rank& rank, bool initial, const Report& report);
  void allClosed(Rule rule, const Rank& rank, const Report& report) { closed(rule, rank, 0, config_.banks(), report); }
  void closed(Rule rule, const Rank& rank, int first, int count, const Report& report);
  void refreshEnded(const Issued& issued, const Report& report);
  void takeBus(const Issued& issued, Clock start, const Report& report);
  void startKeeping(int rank, Clock now);
  RefreshInterval refreshInterval() const;
  RefreshMode refreshMode() const { return {config_.features.fineRefresh, config_.features.onTheFly}; }
  void useTimings();
  void lateRefreshes(Clock now);
  void updateDeadline();
  /// First number of what refreshes apart of a rank.
  std::size_t firstOf(int rank) const { return static_cast<std::size_t>(rank * config_.features.refreshGroups); }
  std::size_t groupOf(int bank) const;

  Config config_;
  const Part preset_;
  Part part_;      ///< with the refresh times in force
  Clocks t_;       ///< all timings in force
  Clock burst_;    ///< how long a burst holds the data bus
  Clock toWrite_;  ///< read to write of a rank
  Violations& violations_;
  int banksPerGroup_;
  std::vector<Rank> ranks_;
  std::vector<Modes> modes_;
  std::vector<Termination> terminations_;
  // of what refreshes apart, ranks or groups of their banks
  std::vector<Refresh> lastRefresh_;
  std::vector<RefreshInterval> refreshes_;
  std::vector<FineRefresh> granularity_;
  DataBus bus_;
  Clock nextDeadline_ = kForever;
};

}  // namespace weir::dram
