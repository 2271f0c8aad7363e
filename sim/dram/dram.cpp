// SPDX-License-Identifier: Apache-2.0
#include "dram.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace weir::dram {
namespace {

/// The part of a configuration, after the configuration has been found fit for it.
const Part& validated(const Config& config) {
  const Part& part = findPart(config.part);
  config.validate(part);
  return part;
}

/// `width` bits (at most 32) of packed words, from bit `low` on.
std::uint32_t bits(const std::uint32_t* words, int low, int width) {
  std::uint64_t value = words[low / 32] >> low % 32;
  if (low % 32 + width > 32) value |= static_cast<std::uint64_t>(words[low / 32 + 1]) << (32 - low % 32);
  return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << width) - 1));
}

constexpr std::size_t kChunk = 1 << 20;

}  // namespace

Dram::Dram(const Config& config)
    : config_(config),
      part_(validated(config)),
      phaseMask_((1u << config.phases) - 1),
      rankMask_((1u << config.ranks) - 1),
      bankMask_((1u << config.bankBits) - 1),
      violations_(config),
      checker_(config, part_, violations_),
      storage_(config),
      retention_(retention()),
      recount_(config),
      latched_(recount_.upTo(0, 0)) {}

std::vector<Retention> Dram::retention() const {
  Retention rank(config_, config_.features.refreshed(part_));
  rank.restoreAll(now());
  return std::vector<Retention>(static_cast<std::size_t>(config_.refreshedApart()), rank);
}

void Dram::choose(const Features& features) {
  Config next = config_;
  next.features = features;
  next.validate(part_);
  if (features.refreshGroups != config_.features.refreshGroups)
    throw std::invalid_argument("DRAM model '" + config_.name +
                                "': FEATURES: refresh_groups = " + std::to_string(features.refreshGroups) +
                                ": must be as at the start, " + std::to_string(config_.features.refreshGroups));
  config_ = next;
  checker_.choose(features, now());
  retention_ = retention();
}

void Dram::reset() {
  ++cycles_;
  writes_.fill({});
  for (PendingRead& read : reads_) read.valid = false;
  cke_ = resetN_ = ~0u;
  odt_ = false;
  checker_.restart(now());
  recount_.restart(now());
  for (Retention& rank : retention_) rank.restoreAll(now());
}

unsigned Dram::clock(const DfiCycle& dfi) {
  const std::uint64_t broken = violations_.total();
  checker_.time(now());
  const bool pinsMoved = dfi.cke != cke_ || dfi.resetN != resetN_;
  const std::uint32_t active = ~(dfi.rasN & dfi.casN & dfi.weN) | dfi.wrdataEn | dfi.rddataEn;
  const bool terminates = dfi.odt != 0 || odt_;
  if (pinsMoved || terminates || (active & phaseMask_) != 0) {
    for (int p = 0; p < config_.phases; ++p) {
      if (pinsMoved) pins(dfi, p);
      if (terminates) odt(dfi, p);
      if ((active >> p & 1u) != 0) phase(dfi, p);
    }
  }

  odt_ = dfi.odt != 0;

  unsigned result = 0;
  if (violations_.total() != broken) result |= kViolation;
  currentWrite_ = cycles_ % kSlots;
  // A PHY's rddata appears after the edge that ends this cycle: it is the next cycle's.
  PendingRead& due = reads_[(cycles_ + 1) % kSlots];
  if (due.valid) {
    due.valid = false;
    currentRead_ = (cycles_ + 1) % kSlots;
    result |= kHasReadData;
  }
  if (writes_[currentWrite_].ranks != 0) result |= kTakesWriteData;
  ++cycles_;
  return result;
}

void Dram::pins(const DfiCycle& dfi, int phase) {
  const bool resetN = (dfi.resetN >> phase & 1u) != 0;
  for (int r = 0; r < config_.ranks; ++r) {
    const bool cke = (dfi.cke >> (phase * config_.ranks + r) & 1u) != 0;
    checker_.pins(r, resetN, cke, now() + phase);
    recount_.pins(r, resetN, cke, now() + phase);
  }
  cke_ = dfi.cke;
  resetN_ = dfi.resetN;
}

void Dram::odt(const DfiCycle& dfi, int phase) {
  for (int r = 0; r < config_.ranks; ++r)
    checker_.odt(r, (dfi.odt >> (phase * config_.ranks + r) & 1u) != 0, now() + phase);
}

void Dram::phase(const DfiCycle& dfi, int phase) {
  Issued issued;
  issued.clock = now() + phase;
  issued.phase = phase;
  issued.bank = static_cast<int>(dfi.bank >> phase * config_.bankBits & bankMask_);
  issued.address = bits(dfi.address, phase * config_.addressPins, config_.addressPins);
  const std::uint32_t selected = ~(dfi.csN >> phase * config_.ranks) & rankMask_;
  const auto pin = [&](std::uint32_t word) { return (word >> phase & 1u) != 0; };
  const Command command =
      selected == 0 ? Command::nop : decode(pin(dfi.rasN), pin(dfi.casN), pin(dfi.weN), issued.address);

  const auto broken = [&](Rule rule, int rank) {
    Issued at = issued;
    at.command = command;
    at.rank = rank;
    Report(violations_, at, checker_.bank(rank, at.bank).row).broken(rule);
  };
  int first = 0;
  while (selected != 0 && (selected >> first & 1u) == 0) ++first;
  if (pin(dfi.rddataEn) != isRead(command)) broken(Rule::readEnable, first);
  if (pin(dfi.wrdataEn) != isWrite(command)) broken(Rule::writeEnable, first);
  if (command == Command::nop) return;
  if (issued.clock < commandEnds_) broken(Rule::commandBus, first);
  const bool isLong = command == Command::activate || isColumn(command);
  commandEnds_ = issued.clock + (isLong ? part_.standard->longCommandClocks : 1);
  if (isRead(command) && (selected & (selected - 1)) != 0) broken(Rule::rankConflict, first);

  issued.command = command;
  for (int r = 0; r < config_.ranks; ++r) {
    if ((selected >> r & 1u) == 0) continue;
    issued.rank = r;
    issue(issued);
  }
}

void Dram::issue(const Issued& issued) {
  recount_.received(issued);
  if (trace_) trace_->write(issued);
  const bool kept = checker_.keeping(issued.rank);
  if (!checker_.command(issued)) {
    recount_.ignored();
    return;
  }
  if (!kept && checker_.keeping(issued.rank))
    for (int b = 0; b < config_.banks(); b += config_.banksRefreshed())
      retention_[config_.refreshedWith(issued.rank, b)].restoreAll(issued.clock);
  if (issued.command == Command::refresh)
    refresh(issued);
  else
    recount_.taken(issued, checker_.bank(issued.rank, issued.bank).precharged);
  switch (issued.command) {
    case Command::activate:
      activate(issued);
      break;
    case Command::read:
    case Command::readAutoPrecharge:
      read(issued);
      break;
    case Command::write:
    case Command::writeAutoPrecharge:
      write(issued);
      break;
    default:
      break;
  }
}

void Dram::refresh(const Issued& issued) {
  const int quarters = checker_.refreshQuarters(issued);
  const int banks = config_.banksRefreshed();
  const int first = checker_.ofWholeRank(issued) ? 0 : issued.bank / banks * banks;
  const int last = checker_.ofWholeRank(issued) ? config_.banks() - 1 : first;
  for (int bank = first; bank <= last; bank += banks) {
    Issued each = issued;
    each.bank = bank;
    recount_.refresh(each, quarters != kWholeRefresh, checker_.refreshTime(each.rank, bank));
    retention_[config_.refreshedWith(each.rank, bank)].refresh(each.clock, quarters);
  }
}

void Dram::activate(const Issued& issued) {
  const std::uint32_t number = checker_.bank(issued.rank, issued.bank).row;
  Storage::Row* row = storage_.find(issued.rank, issued.bank, number);
  if (row == nullptr) return;
  const Retention& retention = retention_[config_.refreshedWith(issued.rank, issued.bank)];
  if (config_.features.refresh && retention.lost(number, row->restored, issued.clock)) {
    storage_.decay(*row, issued.rank, issued.bank, number, issued.clock);
    Report(violations_, issued, number)
        .broken(Rule::retention, std::max(row->restored, retention.refreshed(number)), retention.limit());
  }
  row->restored = issued.clock;
}

std::uint32_t Dram::columnInRow(const Issued& issued) const {
  const auto beats = static_cast<std::uint32_t>(config_.burstBeats);
  return columnOf(issued.address) & ((1u << config_.columnBits) - 1) & ~(beats - 1);
}

void Dram::read(const Issued& issued) {
  const auto latency = static_cast<std::uint64_t>(config_.readLatency);
  PendingRead& slot = reads_[(cycles_ + latency) % kSlots];
  slot.valid = true;
  if (checker_.multiPurposeRead(issued.rank)) {
    // JESD79-3F 4.13.1: beats of the predefined pattern are 0, 1, 0, 1 ... on every data pin.
    const auto beat = static_cast<std::size_t>(config_.dq) / 8;
    for (std::size_t i = 0; i < static_cast<std::size_t>(config_.lineBytes()); ++i)
      slot.line[i] = i / beat % 2 == 0 ? 0x00 : 0xff;
    return;
  }
  storage_.readLine(issued.rank, issued.bank, checker_.bank(issued.rank, issued.bank).row, columnInRow(issued),
                    slot.line.data());
}

void Dram::write(const Issued& issued) {
  const auto latency = static_cast<std::uint64_t>(config_.writeLatency);
  PendingWrite& slot = writes_[(cycles_ + latency) % kSlots];
  slot.ranks |= 1u << issued.rank;
  slot.bank = issued.bank;
  slot.column = columnInRow(issued);
  slot.rows[static_cast<std::size_t>(issued.rank)] = checker_.bank(issued.rank, issued.bank).row;
}

void Dram::writeData(const std::uint8_t* line, std::uint64_t mask) {
  PendingWrite& slot = writes_[currentWrite_];
  for (int r = 0; r < config_.ranks; ++r)
    if ((slot.ranks >> r & 1u) != 0)
      storage_.writeLine(r, slot.bank, slot.rows[static_cast<std::size_t>(r)], slot.column, line, mask, now());
  slot.ranks = 0;
}

void Dram::readData(std::uint8_t* line) const {
  std::memcpy(line, reads_[currentRead_].line.data(), static_cast<std::size_t>(config_.lineBytes()));
}

void Dram::preload(std::uint64_t address, const std::uint8_t* bytes, std::size_t length) {
  storage_.write(address, bytes, length, now());
}

std::uint64_t Dram::preload(std::uint64_t address, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("DRAM '" + config_.name + "': cannot read the file " + path);
  std::vector<std::uint8_t> chunk(kChunk);
  std::uint64_t done = 0;
  while (file) {
    file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size()));
    const auto n = static_cast<std::size_t>(file.gcount());
    preload(address + done, chunk.data(), n);
    done += n;
  }
  if (file.bad()) throw std::runtime_error("DRAM '" + config_.name + "': cannot read all of the file " + path);
  return done;
}

void Dram::dump(std::uint64_t address, std::uint8_t* bytes, std::size_t length) {
  storage_.read(address, bytes, length);
}

void Dram::dump(std::uint64_t address, std::uint64_t length, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) throw std::runtime_error("DRAM '" + config_.name + "': cannot write the file " + path);
  std::vector<std::uint8_t> chunk(kChunk);
  for (std::uint64_t done = 0; done < length;) {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, length - done));
    dump(address + done, chunk.data(), n);
    file.write(reinterpret_cast<const char*>(chunk.data()), static_cast<std::streamsize>(n));
    done += n;
  }
  if (!file.flush()) throw std::runtime_error("DRAM '" + config_.name + "': cannot write all of the file " + path);
}

void Dram::transfer(Archive& archive) {
  const std::string what = "DRAM model '" + config_.name + "'";
  archive.section(what);
  archive.agree("the configuration of " + what, config_.text());
  std::string features = config_.features.text();
  archive("features", features);
  archive("cycles", cycles_);
  if (archive.reading()) {
    config_.features = Features::parse(features, what);
    retention_ = retention();
  }
  archive("violations", violations_);
  checker_.transfer(archive, config_.features);
  archive("storage", storage_);
  archive("retention", retention_);
  archive("recount", recount_);
  archive("latched", latched_);
  archive("writes", writes_);
  archive("reads", reads_);
  archive("cke", cke_);
  archive("resetN", resetN_);
  archive("odt", odt_);
  archive("commandEnds", commandEnds_);
}

void Dram::trace(const std::string& path) { trace_ = std::make_unique<Trace>(path, config_); }

void Dram::flush() {
  try {
    if (trace_) trace_->flush();
  } catch (...) {
    trace_.reset();  // told once
    throw;
  }
  if (statisticsFile_.is_open() && recorded_ != cycles_) record();
}

void Dram::latch() {
  latched_ = statistics();
  if (statisticsFile_.is_open()) record();
}

void Dram::record() {
  statisticsFile_ << statistics().json() << std::endl;
  recorded_ = cycles_;
  if (!statisticsFile_) {
    statisticsFile_.close();  // told once
    throw std::runtime_error("DRAM '" + config_.name + "': cannot write all of the file " + statisticsPath_);
  }
}

void Dram::recordStatistics(const std::string& path) {
  statisticsPath_ = path;
  statisticsFile_.open(path, std::ios::trunc);
  if (!statisticsFile_) throw std::runtime_error("DRAM '" + config_.name + "': cannot write the file " + path);
}

}  // namespace weir::dram
