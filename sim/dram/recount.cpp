// SPDX-License-Identifier: Apache-2.0
#include "recount.hpp"

#include <algorithm>

namespace weir::dram {

Recount::Recount(const Config& config) : config_(config) {
  Rank rank;
  rank.banks.resize(static_cast<std::size_t>(config.banksRefreshed()));
  ranks_.assign(static_cast<std::size_t>(config.refreshedApart()), rank);
  counts_.ranks.resize(ranks_.size());
}

std::size_t Recount::countedWith(const Issued& issued) const {
  return config_.refreshedWith(issued.rank, isOfRank(issued.command) ? 0 : issued.bank);
}

void Recount::received(const Issued& issued) {
  ++counts_.ranks[countedWith(issued)].commands[static_cast<std::size_t>(issued.command)];
}

void Recount::taken(const Issued& issued, Clock autoPrecharge) {
  const std::size_t r = countedWith(issued);
  Rank& rank = ranks_[r];
  Bank& bank = rank.banks[static_cast<std::size_t>(issued.bank) % rank.banks.size()];
  switch (issued.command) {
    case Command::activate:
      count(r, issued.clock);
      if (!bank.open) ++rank.open;
      bank = {true, false};
      break;
    case Command::precharge:
      close(r, bank, issued.clock, issued.clock);
      break;
    case Command::prechargeAll:
      for (Bank& each : rank.banks) close(r, each, issued.clock, issued.clock);
      break;
    case Command::read:
    case Command::readAutoPrecharge:
    case Command::write:
    case Command::writeAutoPrecharge:
      if (!bank.open) break;  // reads of the multi purpose register, or a broken rule
      if (bank.served) ++(isRead(issued.command) ? counts_.ranks[r].hitReads : counts_.ranks[r].hitWrites);
      bank.served = true;
      if (issued.command == Command::readAutoPrecharge || issued.command == Command::writeAutoPrecharge)
        close(r, bank, issued.clock, autoPrecharge);
      break;
    default:
      break;
  }
}

void Recount::close(std::size_t r, Bank& bank, Clock now, Clock at) {
  if (!bank.open) return;
  count(r, now);
  bank.open = false;
  --ranks_[r].open;
  ranks_[r].closed = std::max(ranks_[r].closed, at);
}

void Recount::refresh(const Issued& issued, bool fine, Clock time) {
  const std::size_t r = countedWith(issued);
  count(r, issued.clock);
  if (fine) ++counts_.ranks[r].fineRefreshes;
  ranks_[r].refreshed = issued.clock + time;
}

void Recount::pins(int rank, bool resetN, bool cke, Clock now) {
  const auto groups = static_cast<std::size_t>(config_.features.refreshGroups);
  const std::size_t first = static_cast<std::size_t>(rank) * groups;
  for (std::size_t r = first; r < first + groups; ++r) {
    count(r, now);
    ranks_[r].cke = cke;
    if (!resetN) reset(ranks_[r]);
  }
}

void Recount::restart(Clock now) {
  for (int rank = 0; rank < config_.ranks; ++rank) pins(rank, false, true, now);
}

void Recount::reset(Rank& rank) {
  rank.open = 0;
  rank.closed = rank.refreshed = kNever;
  std::fill(rank.banks.begin(), rank.banks.end(), Bank{});
}

void Recount::count(std::size_t r, Clock now) {
  Rank& rank = ranks_[r];
  auto& clocks = counts_.ranks[r].clocks;
  // Until now nothing happened but that a refresh ended and rows closed by themselves, each at a time that is known.
  const auto until = [&](Clock end, RankState state) {
    const Clock to = std::min(end, now);
    if (to <= rank.counted) return;
    clocks[static_cast<std::size_t>(state)] += static_cast<std::uint64_t>(to - rank.counted);
    rank.counted = to;
  };
  if (!rank.cke) until(now, RankState::powerDown);
  until(rank.refreshed, RankState::refreshing);
  until(rank.open > 0 ? now : rank.closed, RankState::activeStandby);
  until(now, RankState::prechargedStandby);
}

const Statistics& Recount::upTo(Clock now, std::uint64_t cycles) {
  for (std::size_t r = 0; r < ranks_.size(); ++r) count(r, now);
  counts_.cycles = cycles;
  return counts_;
}

}  // namespace weir::dram
