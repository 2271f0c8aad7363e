// SPDX-License-Identifier: Apache-2.0
#include "observation.hpp"

#include <algorithm>
#include <stdexcept>

#include "clocks.hpp"

namespace weir::observe {
namespace {

constexpr unsigned kRefresh = 0b001, kPrecharge = 0b010, kActivate = 0b011, kWrite = 0b100, kRead = 0b101;
constexpr unsigned kIncrementing = 1;
constexpr std::uint32_t kA10 = 1 << 10;

int bucket(std::uint64_t cycles) {
  int bucket = 0;
  while (bucket < kBuckets - 1 && cycles >= std::uint64_t{8} << bucket) ++bucket;
  return bucket;
}

/// The column of a beat: A9 to A0, and A11 above them.
std::uint32_t columnOf(std::uint32_t address) { return (address & 0x3ff) | (address >> 1 & 0x400); }

template <typename Values, typename Write>
std::string list(const Values& values, Write write) {
  std::string out = "[";
  for (const auto& value : values) out += (out.size() > 1 ? ", " : "") + write(value);
  return out + "]";
}

std::string number(std::uint64_t value) { return std::to_string(value); }

}  // namespace

Observation::Observation(const Shape& shape)
    : shape_(shape),
      map_(shape.channel),
      timings_(dram::toClocks(dram::findPart(shape.channel.part), shape.channel.clockPs)),
      rowCommandPhase_(shape.channel.phases) {
  Rank rank;
  rank.banks.resize(static_cast<std::size_t>(banksOfRank()));
  ranks_.assign(static_cast<std::size_t>(shape.channels * ranksOfChannel()), rank);
  sources_.resize(static_cast<std::size_t>(source(shape.ports - 1, (1U << shape.idBits) - 1)) + 1);
  columns_.assign(sources_.size(), std::vector<Columns>(ranks_.size()));
}

int Observation::source(int port, unsigned id) const {
  const int bits = shape_.sourceIdHigh - shape_.sourceIdLow + 1;
  return port << bits | static_cast<int>(id >> shape_.sourceIdLow & ((1U << bits) - 1));
}

void Observation::asked(int port, bool write, unsigned id, std::uint64_t address, unsigned len, unsigned size,
                        unsigned burst) {
  if (burst != kIncrementing)
    throw std::invalid_argument("observe: burst type " + std::to_string(burst) + " of port " + std::to_string(port) +
                                ": only INCR (1) is understood");
  const int from = source(port, id);
  const auto lineBytes = static_cast<std::uint64_t>(shape_.channel.lineBytes());
  const std::uint64_t start = address - shape_.base;
  const std::uint64_t end = (start >> size << size) + (std::uint64_t{len + 1} << size);
  SourceCounts& counts = sources_[static_cast<std::size_t>(from)];
  for (std::uint64_t line = start / lineBytes; line * lineBytes < end; ++line) {
    ++(write ? counts.linesWritten : counts.linesRead);
    const auto [owner, isNew] = owners_.emplace(line, from);
    if (!isNew && owner->second != from) owner->second = -1;
  }
  if (!write) reading_[{port, id}].push_back({cycle_, false});
}

void Observation::offered(int port, unsigned id, bool last, bool taken) {
  auto& bursts = reading_[{port, id}];
  if (bursts.empty())
    throw std::logic_error("observe: R of port " + std::to_string(port) + ", id " + std::to_string(id) +
                           ", answers no burst");
  Burst& burst = bursts.front();
  if (!burst.begun) {
    burst.begun = true;
    ++sources_[static_cast<std::size_t>(source(port, id))]
          .latencies[static_cast<std::size_t>(bucket(cycle_ - burst.asked))];
  }
  if (last && taken) bursts.pop_front();
}

template <typename Do>
void Observation::ofAllBanks(int channel, int rank, std::size_t number, Do what) {
  if (shape_.refreshGroups == shape_.pseudoRanks) {
    what(ranks_[number]);
    return;
  }
  const std::size_t first = numberOf(channel, rank, 0);
  for (std::size_t each = first; each < first + static_cast<std::size_t>(shape_.pseudoRanks); ++each)
    what(ranks_[each]);
}

void Observation::command(int channel, int rankNumber, int phase, unsigned kind, int bankNumber,
                          std::uint32_t address) {
  const std::size_t number = numberOf(channel, rankNumber, bankNumber);
  Rank& of = ranks_[number];
  Bank& bank = of.banks[static_cast<std::size_t>(bankNumber % banksOfRank())];
  switch (kind) {
    case kActivate:
      ++of.counts.activates;
      bank.madeWay = bank.makesWay;
      bank.open = true;
      bank.served = bank.makesWay = false;
      bank.row = address & ((1U << shape_.channel.rowBits) - 1);
      rowCommandPhase_ = std::min(rowCommandPhase_, phase);
      break;
    case kPrecharge:
      rowCommandPhase_ = std::min(rowCommandPhase_, phase);
      if (address & kA10) {
        ofAllBanks(channel, rankNumber, number, [](Rank& each) {
          ++each.counts.precharges;
          for (Bank& one : each.banks) one.open = false;
        });
      } else {
        ++of.counts.precharges;
        bank.open = false;
        bank.makesWay = true;
      }
      break;
    case kRefresh: {
      // the first cycle in which a row command may stand tRFC, or of a set of banks tRFCsb, later
      const bool ofSet = shape_.refreshGroups > 1 && timings_.tRFCsb > 0;
      const auto time = static_cast<std::uint64_t>(ofSet ? timings_.tRFCsb : timings_.tRFC);
      const auto phases = static_cast<std::uint64_t>(shape_.channel.phases);
      const std::uint64_t clock = cycle_ * phases + static_cast<std::uint64_t>(phase) + time;
      const std::uint64_t end = (clock - static_cast<std::uint64_t>(rowCommandPhase_) + phases - 1) / phases;
      ofAllBanks(channel, rankNumber, number, [end](Rank& each) {
        ++each.counts.refreshes;
        each.refreshedUntil = end;
      });
      break;
    }
    case kRead:
      ++of.counts.reads;
      column(channel, rankNumber, bank, bankNumber, false, address);
      break;
    case kWrite:
      ++of.counts.writes;
      column(channel, rankNumber, bank, bankNumber, true, address);
      break;
    default:
      break;
  }
}

void Observation::column(int channel, int rankNumber, Bank& bank, int bankNumber, bool write, std::uint32_t address) {
  const Outcome outcome = bank.served ? Outcome::hit : bank.madeWay ? Outcome::conflict : Outcome::miss;
  bank.served = true;
  dram::Place place;
  place.rank = rankNumber;
  place.bank = bankNumber;
  place.row = bank.row;
  place.offset = columnOf(address) * static_cast<std::uint32_t>(shape_.channel.dq / 8);
  const std::uint64_t byte = static_cast<std::uint64_t>(channel) * map_.bytes() + map_.address(place);
  const auto owner = owners_.find(byte / static_cast<std::uint64_t>(shape_.channel.lineBytes()));
  if (owner == owners_.end() || owner->second < 0) {
    ++shared_;
    return;
  }
  Columns& columns = columns_[static_cast<std::size_t>(owner->second)][numberOf(channel, rankNumber, bankNumber)];
  ++(write ? columns.writes : columns.reads)[static_cast<std::size_t>(outcome)];
}

void Observation::clock() {
  for (Rank& rank : ranks_) {
    if (cycle_ < rank.refreshedUntil)
      ++rank.counts.refreshing;
    else if (rank.wasOpen)
      ++rank.counts.active;
    rank.wasOpen = std::any_of(rank.banks.begin(), rank.banks.end(), [](const Bank& bank) { return bank.open; });
  }
  ++cycle_;
}

std::string Observation::json() const {
  const auto ofRank = [](const Rank& rank) {
    const RankCounts& counts = rank.counts;
    return "{\"activates\": " + number(counts.activates) + ", \"precharges\": " + number(counts.precharges) +
           ", \"refreshes\": " + number(counts.refreshes) + ", \"reads\": " + number(counts.reads) +
           ", \"writes\": " + number(counts.writes) + ", \"cycles_refreshing\": " + number(counts.refreshing) +
           ", \"cycles_active_standby\": " + number(counts.active) + "}";
  };
  const auto ofColumns = [](const Columns& columns) {
    return "{\"reads\": " + list(columns.reads, number) + ", \"writes\": " + list(columns.writes, number) + "}";
  };
  const auto ofSource = [](const SourceCounts& counts) {
    return "{\"lines_read\": " + number(counts.linesRead) + ", \"lines_written\": " + number(counts.linesWritten) +
           ", \"latencies\": " + list(counts.latencies, number) + "}";
  };
  return "{\"cycles\": " + number(cycle_) + ", \"shared\": " + number(shared_) +
         ", \"ranks\": " + list(ranks_, ofRank) + ", \"sources\": " + list(sources_, ofSource) +
         ", \"columns\": " + list(columns_, [&](const std::vector<Columns>& ranks) { return list(ranks, ofColumns); }) +
         "}";
}

}  // namespace weir::observe
