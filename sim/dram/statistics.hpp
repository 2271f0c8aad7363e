// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the model has seen.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "archive.hpp"
#include "command.hpp"

namespace weir::dram {

/// What a rank does in a DRAM clock. Every clock of a rank is exactly one of these; where several would hold, the
/// first.
enum class RankState {
  /// CKE of the rank is low, in reset too, whatever its banks and refreshes do.
  powerDown,
  /// From the clock of a refresh command, that clock included, for its tRFC (tRFC2, tRFC4) of the model.
  refreshing,
  /// A row of a bank is open: from the clock of the activate, included, to that of the precharge, not included. An auto
  /// precharge begins tRTP after its read or tWR after the end of its write data, but not before tRAS has passed.
  activeStandby,
  /// Else; tRP after a precharge is part of it.
  prechargedStandby,
};

/// Number of values of RankState.
constexpr int kRankStates = 4;

/// Counts of one rank. A command with several chip selects low counts for each of their ranks. Where groups of banks
/// refresh apart (Features::refreshGroups) each of them counts as a rank does, in their order, and commands of the
/// whole rank (mode register set, ZQ calibration) count for its first group.
struct RankStatistics {
  std::array<std::uint64_t, kCommands> commands{};  ///< received, by Command; those without effect too

  std::uint64_t fineRefreshes = 0;  ///< refresh commands of 2x or 4x granularity, among those of `commands`
  std::uint64_t hitReads = 0;       ///< reads whose row has served a read or write before, since its activate
  std::uint64_t hitWrites = 0;      ///< the same of writes

  std::array<std::uint64_t, kRankStates> clocks{};  ///< DRAM clocks in each RankState: together, all that have passed

  std::uint64_t of(Command command) const { return commands[static_cast<std::size_t>(command)]; }
  std::uint64_t in(RankState state) const { return clocks[static_cast<std::size_t>(state)]; }

  std::uint64_t activates() const { return of(Command::activate); }
  /// Read commands, those with auto precharge included.
  std::uint64_t reads() const { return of(Command::read) + of(Command::readAutoPrecharge); }
  /// Write commands, those with auto precharge included.
  std::uint64_t writes() const { return of(Command::write) + of(Command::writeAutoPrecharge); }
  /// Precharge commands of one bank, whether it was open or not.
  std::uint64_t precharges() const { return of(Command::precharge); }
  /// Precharge commands of all banks, whether one was open or not.
  std::uint64_t prechargesOfAll() const { return of(Command::prechargeAll); }
  /// Reads and writes with auto precharge.
  std::uint64_t autoPrecharges() const { return of(Command::readAutoPrecharge) + of(Command::writeAutoPrecharge); }
  /// Refresh commands of 1x granularity.
  std::uint64_t wholeRefreshes() const { return of(Command::refresh) - fineRefreshes; }

  void transfer(Archive& archive) {
    archive("commands", commands);
    archive("fineRefreshes", fineRefreshes);
    archive("hitReads", hitReads);
    archive("hitWrites", hitWrites);
    archive("clocks", clocks);
  }
};

/// Counts since the start of the simulation, resets of the model included. Commands of a cycle count once Dram::clock()
/// has seen it; clocks are counted up to the end of that cycle.
struct Statistics {
  std::uint64_t cycles = 0;   ///< controller cycles
  std::uint64_t ignored = 0;  ///< commands without effect: before power-up, without CKE, in reset
  std::vector<RankStatistics> ranks;

  std::uint64_t of(int rank, Command command) const { return ranks[static_cast<std::size_t>(rank)].of(command); }

  /// What has been counted since `begin`, earlier counts of the same model.
  Statistics since(const Statistics& begin) const;

  /// All counts as one line of JSON: {"cycles":, "ignored":, "ranks":[{"activates":, "reads":, "writes":, "hit_reads":,
  /// "hit_writes":, "precharges":, "precharges_of_all":, "auto_precharges":, "whole_refreshes":, "fine_refreshes":,
  /// "clocks_power_down":, "clocks_refreshing":, "clocks_active_standby":, "clocks_precharged_standby":}]}
  std::string json() const;

  void transfer(Archive& archive) {
    archive("cycles", cycles);
    archive("ignored", ignored);
    archive("ranks", ranks);
  }
};

}  // namespace weir::dram
