// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

namespace weir::dram {
namespace {

std::string field(const char* name, std::uint64_t count) {
  return std::string("\"") + name + "\": " + std::to_string(count);
}

template <std::size_t kSize>
void subtract(std::array<std::uint64_t, kSize>& counts, const std::array<std::uint64_t, kSize>& begin) {
  for (std::size_t index = 0; index < kSize; ++index) counts[index] -= begin[index];
}

}  // namespace

Statistics Statistics::since(const Statistics& begin) const {
  Statistics gained = *this;
  gained.cycles -= begin.cycles;
  gained.ignored -= begin.ignored;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    RankStatistics& rank = gained.ranks[r];
    const RankStatistics& first = begin.ranks[r];
    subtract(rank.commands, first.commands);
    subtract(rank.clocks, first.clocks);
    rank.fineRefreshes -= first.fineRefreshes;
    rank.hitReads -= first.hitReads;
    rank.hitWrites -= first.hitWrites;
  }
  return gained;
}

std::string Statistics::json() const {
  std::string out = "{" + field("cycles", cycles) + ", " + field("ignored", ignored) + ", \"ranks\": [";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankStatistics& rank = ranks[r];
    out += (r == 0 ? "{" : ", {") + field("activates", rank.activates());
    out += ", " + field("reads", rank.reads());
    out += ", " + field("writes", rank.writes());
    out += ", " + field("hit_reads", rank.hitReads);
    out += ", " + field("hit_writes", rank.hitWrites);
    out += ", " + field("precharges", rank.precharges());
    out += ", " + field("precharges_of_all", rank.prechargesOfAll());
    out += ", " + field("auto_precharges", rank.autoPrecharges());
    out += ", " + field("whole_refreshes", rank.wholeRefreshes());
    out += ", " + field("fine_refreshes", rank.fineRefreshes);
    out += ", " + field("clocks_power_down", rank.in(RankState::powerDown));
    out += ", " + field("clocks_refreshing", rank.in(RankState::refreshing));
    out += ", " + field("clocks_active_standby", rank.in(RankState::activeStandby));
    out += ", " + field("clocks_precharged_standby", rank.in(RankState::prechargedStandby)) + "}";
  }
  return out + "]}";
}

}  // namespace weir::dram
