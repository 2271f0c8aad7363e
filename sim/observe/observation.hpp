// SPDX-License-Identifier: Apache-2.0
/// @file
/// Recounts from outside, on AXI and DFI, what Weir's counters should say (docs/counters.md).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "address_map.hpp"
#include "clocks.hpp"
#include "config.hpp"

namespace weir::observe {

/// What is watched: the memory of each channel, and the AXI4 ports in front.
struct Shape {
  dram::Config channel;
  int channels = 1;
  int pseudoRanks = 1;    ///< groups of the banks of a rank that count as ranks, by the upper bits of the bank
  int refreshGroups = 1;  ///< of these that refresh apart
  int ports = 1;
  int idBits = 4;
  int sourceIdHigh = 0;  ///< the id bits that tell sources apart
  int sourceIdLow = 0;
  std::uint64_t base = 0;  ///< bus address of the first byte of memory
};

/// Buckets of the read latency histogram: below 8 cycles, to below 16, 32 and so on, the last one open.
constexpr int kBuckets = 12;

/// What a column command found.
enum class Outcome { hit, miss, conflict };

/// Counts of a source at a rank.
struct Columns {
  std::array<std::uint64_t, 3> reads{};   ///< by Outcome
  std::array<std::uint64_t, 3> writes{};  ///< by Outcome
};

/// Counts of a rank.
struct RankCounts {
  std::uint64_t activates = 0, precharges = 0, refreshes = 0, reads = 0, writes = 0;
  std::uint64_t refreshing = 0;  ///< cycles from a refresh command until tRFC allows another command
  std::uint64_t active = 0;      ///< other cycles that began with a row open
};

/// Counts of a source.
struct SourceCounts {
  std::uint64_t linesRead = 0, linesWritten = 0;  ///< asked for on AXI
  std::array<std::uint64_t, kBuckets> latencies{};
};

/// Watches ports and channels, cycle by cycle.
///
/// A DRAM command has no source. Its line has: it counts for the source that has asked for that line on AXI, so that
/// each line must belong to one source; `shared` counts those that do not. Lines are found by the address map that is
/// in force after reset (row, rank, bank, column). Only bursts of rising addresses are understood.
class Observation {
 public:
  explicit Observation(const Shape& shape);

  /// The handshake of a burst's address on AR or AW.
  /// @throws std::invalid_argument for a burst type other than INCR
  void asked(int port, bool write, unsigned id, std::uint64_t address, unsigned len, unsigned size, unsigned burst);
  /// A beat is offered on R; it is looked at again in each cycle until it is taken.
  void offered(int port, unsigned id, bool last, bool taken);
  /// A command of one rank, by RAS#, CAS#, WE# as bits 2 to 0; `address` is DFI's of one phase.
  void command(int channel, int rank, int phase, unsigned kind, int bank, std::uint32_t address);
  /// The cycle ends, after all of the above.
  void clock();

  /// All counts as one line of JSON.
  std::string json() const;

 private:
  struct Bank {
    bool open = false, served = false;
    bool makesWay = false;  ///< precharged alone, and not activated since
    bool madeWay = false;   ///< was so before its last activate
    std::uint32_t row = 0;
  };
  struct Rank {
    std::vector<Bank> banks;
    std::uint64_t refreshedUntil = 0;  ///< first cycle behind the last refresh
    bool wasOpen = false;              ///< a row was open when the cycle began
    RankCounts counts;
  };
  struct Burst {
    std::uint64_t asked = 0;  ///< cycle
    bool begun = false;
  };

  int source(int port, unsigned id) const;
  void column(int channel, int rank, Bank& bank, int bankNumber, bool write, std::uint32_t address);
  int ranksOfChannel() const { return shape_.channel.ranks * shape_.pseudoRanks; }
  int banksOfRank() const { return shape_.channel.banks() / shape_.pseudoRanks; }
  /// Number of what counts as a rank, among those of all channels, by the rank and bank of a command.
  std::size_t numberOf(int channel, int rank, int bank) const {
    return static_cast<std::size_t>(channel * ranksOfChannel() + rank * shape_.pseudoRanks + bank / banksOfRank());
  }
  /// Does something with what a refresh, or a precharge of all banks, of `number` is for.
  template <typename Do>
  void ofAllBanks(int channel, int rank, std::size_t number, Do what);

  Shape shape_;
  dram::AddressMap map_;
  dram::Clocks timings_;
  std::uint64_t cycle_ = 0;
  std::uint64_t shared_ = 0;  ///< column commands of lines of several sources or of none
  int rowCommandPhase_ = 0;   ///< the earlier one of the phases of activates and precharges
  std::vector<Rank> ranks_;
  std::vector<SourceCounts> sources_;
  std::vector<std::vector<Columns>> columns_;  ///< by source and rank
  std::map<std::uint64_t, int> owners_;        ///< source of each line by its number, -1 for several
  std::map<std::pair<int, unsigned>, std::deque<Burst>> reading_;  ///< by port and id
};

}  // namespace weir::observe
