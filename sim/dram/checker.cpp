// SPDX-License-Identifier: Apache-2.0
#include "checker.hpp"

#include <algorithm>

namespace weir::dram {

Checker::Checker(const Config& config, const Part& part, Violations& violations)
    : config_(config), preset_(part), violations_(violations), banksPerGroup_(part.banksPerGroup) {
  useTimings();
  restart(0);
}

void Checker::useTimings() {
  part_ = config_.features.refreshed(preset_);
  t_ = toClocks(part_, config_.clockPs, config_.features.timeScale);
  // A slower memory holds the data bus as many times longer; when its data begins is the PHY's matter and stays.
  burst_ = config_.burstClocks() * config_.features.timeScale;
  toWrite_ = config_.cl + burst_ + part_.standard->readToWriteGap * config_.features.timeScale - config_.cwl;
}

RefreshInterval Checker::refreshInterval() const {
  return RefreshInterval(part_.tREFI.picoseconds, part_.tREFW.picoseconds, config_.clockPs,
                         part_.standard->mostPostponed);
}

void Checker::restart(Clock now) {
  const auto ranks = static_cast<std::size_t>(config_.ranks);
  ranks_.assign(ranks, Rank(config_, part_.bankGroups));
  modes_.assign(ranks, Modes(config_, part_, t_, config_.initialised));
  terminations_.assign(ranks, Termination(config_, part_.standard != &kDdr3));
  const auto apart = static_cast<std::size_t>(config_.refreshedApart());
  lastRefresh_.assign(apart, Refresh());
  refreshes_.assign(apart, refreshInterval());
  granularity_.assign(apart, FineRefresh(refreshMode()));
  bus_ = DataBus();
  nextDeadline_ = kForever;
  if (config_.initialised)
    for (int r = 0; r < config_.ranks; ++r) startKeeping(r, now);
}

void Checker::choose(const Features& features, Clock now) {
  const RefreshMode before = refreshMode();
  config_.features = features;
  useTimings();
  const RefreshMode mode = refreshMode();
  for (std::size_t each = 0; each < refreshes_.size(); ++each) {
    // mode register 3 of DDR4 stays as it is unless the features speak of it
    if (mode.factor != before.factor || mode.onTheFly != before.onTheFly) granularity_[each] = FineRefresh(mode);
    refreshes_[each] = refreshInterval();
  }
  for (std::size_t r = 0; r < modes_.size(); ++r) {
    modes_[r].useTimings(t_);
    if (modes_[r].ready()) startKeeping(static_cast<int>(r), now);
  }
  updateDeadline();
}

void Checker::pins(int rank, bool resetN, bool cke, Clock now) {
  const auto r = static_cast<std::size_t>(rank);
  if (!modes_[r].pins(resetN, cke, now)) return;
  ranks_[r] = Rank(config_, part_.bankGroups);
  for (std::size_t each = firstOf(rank); each < firstOf(rank + 1); ++each) {
    lastRefresh_[each] = Refresh();
    refreshes_[each].stop();
    // on DDR4 the initialisation that must follow sets mode register 3
    granularity_[each] = FineRefresh(refreshMode());
  }
  updateDeadline();
}

void Checker::odt(int rank, bool high, Clock now) {
  const auto r = static_cast<std::size_t>(rank);
  Issued issued;
  issued.rank = rank;
  issued.clock = now;
  const Report report(violations_, issued, 0);
  if (high != terminations_[r].high()) modes_[r].odtMoved(report);
  terminations_[r].pin(high, now, modes_[r].resistors(), report);
}

bool Checker::command(const Issued& issued) {
  const auto r = static_cast<std::size_t>(issued.rank);
  Rank& rank = ranks_[r];
  Modes& modes = modes_[r];
  Bank& bank = rank.banks[static_cast<std::size_t>(issued.bank)];
  const Report report(violations_, issued, issued.command == Command::activate ? issued.address : bank.row);

  if (!part_.standard->initialisation && isOfRank(issued.command)) {
    report.broken(Rule::unknownCommand);
    return false;
  }
  const bool initialZq = modes.calibrating();
  if (!modes.command(issued, terminations_[r].high(), report)) return false;
  refreshEnded(issued, report);
  report.demand(Rule::tZQ, rank.zq, rank.zqTime);

  switch (issued.command) {
    case Command::nop:
      break;
    case Command::modeRegisterSet:
      allClosed(Rule::modeBankOpen, rank, report);
      if (part_.standard == &kDdr4 && (issued.bank & 7) == 3) chooseGranularity(issued, report);
      break;
    case Command::refresh:
      refresh(issued, rank, report);
      break;
    case Command::precharge:
      precharging(issued, rank, report);
      precharge(bank, issued, report);
      break;
    case Command::prechargeAll:
      precharging(issued, rank, report);
      // of the group that the upper bits of the bank name, where groups refresh apart
      for (int b = 0; b < config_.banks(); ++b)
        if (ofWholeRank(issued) ||
            config_.refreshedWith(issued.rank, b) == config_.refreshedWith(issued.rank, issued.bank)) {
          Bank& each = rank.banks[static_cast<std::size_t>(b)];
          precharge(each, issued, Report(violations_, issued, each.row));
        }
      break;
    case Command::activate:
      activate(issued, rank, report);
      break;
    case Command::write:
    case Command::writeAutoPrecharge:
    case Command::read:
    case Command::readAutoPrecharge:
      column(issued, rank, report);
      break;
    case Command::zqLong:
    case Command::zqShort:
      calibrate(issued, rank, initialZq, report);
      break;
  }
  return true;
}

bool Checker::ofWholeRank(const Issued& issued) const {
  return part_.standard->sameBankRefresh && (issued.address & kA11) == 0;
}

std::size_t Checker::groupOf(int bank) const {
  return static_cast<std::size_t>(part_.standard->sameBankRefresh ? bank % part_.bankGroups : bank / banksPerGroup_);
}

void Checker::activate(const Issued& issued, Rank& rank, const Report& report) {
  startKeeping(issued.rank, issued.clock);
  Bank& bank = rank.banks[static_cast<std::size_t>(issued.bank)];
  BankGroup& group = rank.groups[groupOf(issued.bank)];
  const auto oldest = static_cast<std::size_t>(rank.nextActivate);

  if (issued.address >> config_.rowBits != 0) report.broken(Rule::rowAddress);
  if (bank.open) report.broken(Rule::bankOpen, bank.activated);
  report.demand(Rule::tRC, bank.activated, t_.tRC);
  report.demand(Rule::tRP, bank.precharged, t_.tRP);
  report.demand(Rule::tRRD_S, rank.activated, t_.tRRD_S);
  if (part_.bankGroups > 1) report.demand(Rule::tRRD_L, group.activated, t_.tRRD_L);
  report.demand(Rule::tFAW, rank.lastActivates[oldest], t_.tFAW);
  report.demand(Rule::tREFSBRD, rank.setRefreshed, t_.tREFSBRD);

  bank.open = true;
  bank.row = issued.address & ((1u << config_.rowBits) - 1);
  bank.activated = group.activated = rank.activated = issued.clock;
  rank.lastActivates[oldest] = issued.clock;
  rank.nextActivate = (rank.nextActivate + 1) % static_cast<int>(rank.lastActivates.size());
}

void Checker::column(const Issued& issued, Rank& rank, const Report& report) {
  Bank& bank = rank.banks[static_cast<std::size_t>(issued.bank)];
  BankGroup& group = rank.groups[groupOf(issued.bank)];
  const bool reading = isRead(issued.command);
  const bool multiPurpose = reading && multiPurposeRead(issued.rank);

  const std::uint32_t column = columnOf(issued.address);
  if (column >> config_.columnBits != 0 || column % static_cast<std::uint32_t>(config_.burstBeats) != 0)
    report.broken(Rule::columnAddress);
  if (!bank.open && !multiPurpose) report.broken(Rule::bankClosed);
  if (bank.open) report.demand(Rule::tRCD, bank.activated, t_.tRCD);
  report.demand(Rule::tCCD_S, rank.column, t_.tCCD_S);
  if (part_.bankGroups > 1) report.demand(Rule::tCCD_L, group.column, t_.tCCD_L);
  rank.column = group.column = issued.clock;
  if (reading)
    read(issued, rank, bank, report);
  else
    write(issued, rank, bank, report);
}

void Checker::read(const Issued& issued, Rank& rank, Bank& bank, const Report& report) {
  report.demand(Rule::tWTR_S, rank.writeEnd, t_.tWTR_S);
  if (part_.bankGroups > 1) report.demand(Rule::tWTR_L, rank.groups[groupOf(issued.bank)].writeEnd, t_.tWTR_L);
  if (issued.phase != config_.readPhase) report.broken(Rule::readPhase);
  takeBus(issued, issued.clock + config_.cl, report);
  const auto r = static_cast<std::size_t>(issued.rank);
  terminations_[r].read(issued.clock, modes_[r].resistors(), report);
  bank.read = rank.read = issued.clock;
  if (issued.command == Command::readAutoPrecharge && bank.open) {
    bank.open = false;
    bank.precharged = std::max(issued.clock + t_.tRTP, bank.activated + t_.tRAS);
  }
}

void Checker::write(const Issued& issued, Rank& rank, Bank& bank, const Report& report) {
  report.demand(Rule::tRTW, rank.read, toWrite_);
  BankGroup& group = rank.groups[groupOf(issued.bank)];
  report.demand(Rule::tCCD_L_WR, group.write, t_.tCCD_L_WR);
  group.write = issued.clock;
  if (issued.phase != config_.writePhase) report.broken(Rule::writePhase);
  takeBus(issued, issued.clock + config_.cwl, report);
  const auto r = static_cast<std::size_t>(issued.rank);
  terminations_[r].write(issued.clock, modes_[r].resistors(), report);
  const Clock end = issued.clock + config_.cwl + burst_;
  bank.writeEnd = rank.writeEnd = group.writeEnd = end;
  if (issued.command == Command::writeAutoPrecharge && bank.open) {
    bank.open = false;
    bank.precharged = std::max(end + t_.tWR, bank.activated + t_.tRAS);
  }
}

void Checker::takeBus(const Issued& issued, Clock start, const Report& report) {
  const auto clash = bus_.take(issued.rank, start, burst_, t_.tRTRS);
  if (!clash) return;
  if (clash->overlapping)
    report.broken(Rule::dataBus, clash->start, burst_, start);
  else
    report.broken(Rule::tRTRS, clash->start, burst_ + t_.tRTRS, start);
}

void Checker::precharging(const Issued& issued, Rank& rank, const Report& report) {
  report.demand(Rule::tPPD, rank.precharged, t_.tPPD);
  rank.precharged = issued.clock;
}

void Checker::precharge(Bank& bank, const Issued& issued, const Report& report) {
  // A bank that an auto precharge is closing may be precharged again, but not before that one has begun.
  if (bank.open || bank.precharged > issued.clock) {
    report.demand(Rule::tRAS, bank.activated, t_.tRAS);
    report.demand(Rule::tRTP, bank.read, t_.tRTP);
    report.demand(Rule::tWR, bank.writeEnd, t_.tWR);
  }
  bank.open = false;
  bank.precharged = std::max(bank.precharged, issued.clock);
}

void Checker::refreshEnded(const Issued& issued, const Report& report) {
  // the refresh of a set of banks keeps as far away from that of another
  const bool ofRank = isOfRank(issued.command) ||
                      (issued.command == Command::refresh && part_.standard->sameBankRefresh) ||
                      (issued.command == Command::prechargeAll && ofWholeRank(issued));
  for (std::size_t each = firstOf(issued.rank); each < firstOf(issued.rank + 1); ++each)
    if (ofRank || each == config_.refreshedWith(issued.rank, issued.bank))
      report.demand(Rule::tRFC, lastRefresh_[each].at, lastRefresh_[each].time);
}

void Checker::closed(Rule rule, const Rank& rank, int first, int count, const Report& report) {
  const Bank* latest = nullptr;
  for (int b = first; b < first + count; ++b) {
    const Bank& bank = rank.banks[static_cast<std::size_t>(b)];
    if (bank.open) {
      report.broken(rule, bank.activated);
      return;
    }
    if (latest == nullptr || bank.precharged > latest->precharged) latest = &bank;
  }
  report.demand(Rule::tRP, latest->precharged, t_.tRP);
}

int Checker::refreshQuarters(const Issued& issued) const {
  // BG0, the lowest bit above BA; BA0 where there is none, or where it may name a group of banks
  const int fineBit = part_.bankGroups > 1 && config_.features.refreshGroups == 1 ? banksPerGroup_ : 1;
  return granularity_[config_.refreshedWith(issued.rank, issued.bank)].quarters((issued.bank & fineBit) != 0);
}

void Checker::refresh(const Issued& issued, Rank& rank, const Report& report) {
  const int quarters = refreshQuarters(issued);
  const int banks = config_.banksRefreshed();
  if (ofWholeRank(issued)) {
    allClosed(Rule::refreshBankOpen, rank, report);
    if (rank.setsRefreshed != 0) report.broken(Rule::refreshSet, rank.setRefreshed);
    for (std::size_t each = firstOf(issued.rank); each < firstOf(issued.rank + 1); ++each)
      refreshed(each, quarters, quarters == 4 ? t_.tRFC : t_.tRFC2, issued.clock, report);
    rank.setsRefreshed = 0;
    return;
  }
  closed(Rule::refreshBankOpen, rank, issued.bank / banks * banks, banks, report);
  const std::size_t group = config_.refreshedWith(issued.rank, issued.bank);
  Clock time = quarters == 4 ? t_.tRFC : quarters == 2 ? t_.tRFC2 : t_.tRFC4;
  if (part_.standard->sameBankRefresh) {
    refreshSet(issued, rank, report);
    time = t_.tRFCsb;
  }
  refreshed(group, quarters, time, issued.clock, report);
}

void Checker::refreshSet(const Issued& issued, Rank& rank, const Report& report) {
  report.demand(Rule::tRRD_L, rank.activated, t_.tRRD_L);
  const int sets = config_.features.refreshGroups;
  const unsigned set = 1u << (config_.refreshedWith(issued.rank, issued.bank) - firstOf(issued.rank));
  if (sets == 1 || (rank.setsRefreshed & set) != 0) report.broken(Rule::refreshSet, rank.setRefreshed);
  rank.setsRefreshed |= set;
  if (rank.setsRefreshed == (1u << sets) - 1) rank.setsRefreshed = 0;
  rank.setRefreshed = issued.clock;
}

void Checker::refreshed(std::size_t each, int quarters, Clock time, Clock now, const Report& report) {
  if (!granularity_[each].refresh(quarters)) report.broken(Rule::refreshGroup);
  if (config_.features.refresh) {
    RefreshInterval& interval = refreshes_[each];
    lateRefreshes(now);
    const Clock earliest = interval.mostWithinWindow(quarters);
    if (interval.refresh(now, quarters) == RefreshInterval::Fault::pulledIn)
      report.broken(Rule::refreshPulledIn, earliest);
  } else {
    report.broken(Rule::refreshUnneeded);
  }
  lastRefresh_[each] = {now, time};
  updateDeadline();
}

void Checker::chooseGranularity(const Issued& issued, const Report& report) {
  const auto mode = RefreshMode::ofModeRegister3(issued.address);
  if (!mode) {
    report.broken(Rule::modeFineRefresh);
    return;
  }
  bool complete = true;
  for (std::size_t each = firstOf(issued.rank); each < firstOf(issued.rank + 1); ++each)
    complete &= granularity_[each].choose(*mode);
  if (!complete) report.broken(Rule::refreshGroup);
}

void Checker::calibrate(const Issued& issued, Rank& rank, bool initial, const Report& report) {
  allClosed(Rule::zqBankOpen, rank, report);
  rank.zq = issued.clock;
  rank.zqTime = issued.command == Command::zqShort ? t_.tZQCS : initial ? t_.tZQinit : t_.tZQoper;
}

void Checker::startKeeping(int rank, Clock now) {
  if (keeping(rank) || !config_.features.refresh) return;
  for (std::size_t each = firstOf(rank); each < firstOf(rank + 1); ++each)
    if (!refreshes_[each].started()) refreshes_[each].start(now, granularity_[each].quarters(false));
  updateDeadline();
}

void Checker::lateRefreshes(Clock now) {
  for (std::size_t each = 0; each < refreshes_.size(); ++each) {
    RefreshInterval& interval = refreshes_[each];
    const RefreshInterval::Fault fault = interval.absent(now);
    if (fault == RefreshInterval::Fault::none) continue;
    Issued issued;
    issued.rank = static_cast<int>(each) / config_.features.refreshGroups;
    issued.bank = static_cast<int>(each) % config_.features.refreshGroups * config_.banksRefreshed();
    issued.clock = now;
    const Report report(violations_, issued, 0);
    if (fault == RefreshInterval::Fault::interval)
      report.broken(Rule::tREFI, interval.last(), interval.longest());
    else
      report.broken(Rule::refreshPostponed);
  }
  updateDeadline();
}

void Checker::transfer(Archive& archive, const Features& features) {
  config_.features = features;
  useTimings();
  if (archive.reading()) {
    for (RefreshInterval& interval : refreshes_) interval = refreshInterval();
    for (Modes& modes : modes_) modes.useTimings(t_);
  }
  archive("ranks", ranks_);
  archive("modes", modes_);
  archive("terminations", terminations_);
  archive("lastRefresh", lastRefresh_);
  archive("refreshes", refreshes_);
  archive("granularity", granularity_);
  archive("bus", bus_);
  updateDeadline();
}

void Checker::updateDeadline() {
  nextDeadline_ = kForever;
  for (const RefreshInterval& interval : refreshes_) nextDeadline_ = std::min(nextDeadline_, interval.deadline());
}

}  // namespace weir::dram
