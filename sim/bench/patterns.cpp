// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weir::bench {

namespace {

constexpr uint64_t kPageBytes = 4096;

/// Bursts of one kind in a row, in AlternatingRuns and IdleRow.
constexpr uint64_t kRun = 16;

/// Cycles between two reads of the idle patterns: at least, and how many more are drawn.
constexpr uint64_t kPause = 8, kPauseSpread = 32;

/// The first row of a part of memory, and its rows: a row spans all banks.
uint64_t partBytes(const Layout& layout, const Shape& shape) { return layout.bytes / shape.ports; }
uint64_t partBegin(const Layout& layout, const Shape& shape) {
  return layout.base + shape.port * partBytes(layout, shape);
}
uint64_t rows(const Layout& layout, const Shape& shape) {
  return partBytes(layout, shape) / (layout.rowBytes * layout.banks);
}

/// Where a stream begins: on a page of the port's part, counted from its begin.
uint64_t streamOffset(const Layout& layout, const Shape& shape) {
  std::mt19937_64 random(shape.seed);
  return random() % (partBytes(layout, shape) / kPageBytes) * kPageBytes;
}

Burst burst(const Shape& shape, unsigned id, uint64_t address) {
  const unsigned beatBytes = std::min(shape.burstBytes, shape.busBytes);
  return {address, shape.burstBytes / beatBytes, beatBytes, BurstKind::kIncr, id};
}

}  // namespace

void Pattern::done(uint64_t, const Completion&) {}

bool Pattern::counts(const Completion&) const { return true; }

Sequential::Sequential(const Layout& layout, const Shape& shape, bool writes)
    : shape_(shape),
      writes_(writes),
      first_(partBegin(layout, shape)),
      bytes_(partBytes(layout, shape)),
      offset_(streamOffset(layout, shape)) {}

void Sequential::offer(uint64_t, AxiManager& manager) {
  // Two bursts ahead of the channel, so that it is never without one.
  while ((writes_ ? manager.waitingWrites() : manager.waitingReads()) < 2) {
    const Burst next = burst(shape_, static_cast<unsigned>(count_++ % shape_.ids), first_ + offset_);
    if (writes_)
      manager.write(next);
    else
      manager.read(next);
    offset_ = (offset_ + shape_.burstBytes) % bytes_;
  }
}

PerId::PerId(const Shape& shape) : shape_(shape), random_(shape.seed) {
  for (unsigned id = 0; id < shape.ids; ++id) idleIds_.push_back(id);
}

void PerId::offer(uint64_t, AxiManager& manager) {
  for (const unsigned id : idleIds_) {
    const Burst next = burst(shape_, id, address(id));
    if (writes())
      manager.write(next);
    else
      manager.read(next);
  }
  idleIds_.clear();
}

void PerId::done(uint64_t, const Completion& completion) { idleIds_.push_back(completion.burst.id); }

Random::Random(const Layout& layout, const Shape& shape, unsigned reads, unsigned writes)
    : PerId(shape),
      first_(partBegin(layout, shape)),
      bytes_(partBytes(layout, shape)),
      readShare_(reads),
      writeShare_(writes) {}

uint64_t Random::address(unsigned) { return first_ + random_() % (bytes_ / shape_.burstBytes) * shape_.burstBytes; }

bool Random::writes() { return random_() % (readShare_ + writeShare_) >= readShare_; }

AroundOneBank::AroundOneBank(const Layout& layout, const Shape& shape)
    : PerId(shape), layout_(layout), first_(partBegin(layout, shape)), rows_(rows(layout, shape)) {}

uint64_t AroundOneBank::address(unsigned id) {
  if (busy(id)) return first_ + row_++ % rows_ * layout_.rowBytes * layout_.banks;
  const uint64_t row = random_() % rows_;
  const uint64_t bank = 1 + random_() % (layout_.banks - 1);
  const uint64_t column = random_() % (layout_.rowBytes / shape_.burstBytes) * shape_.burstBytes;
  return first_ + (row * layout_.banks + bank) * layout_.rowBytes + column;
}

AlternatingRuns::AlternatingRuns(const Layout& layout, const Shape& shape)
    : PerId(shape),
      first_(partBegin(layout, shape)),
      bytes_(partBytes(layout, shape)),
      offset_(streamOffset(layout, shape)) {}

uint64_t AlternatingRuns::address(unsigned) {
  const uint64_t address = first_ + offset_;
  offset_ = (offset_ + shape_.burstBytes) % bytes_;
  return address;
}

bool AlternatingRuns::writes() { return count_++ / kRun % 2 == 1; }

RowHitStorm::RowHitStorm(const Layout& layout, const Shape& shape)
    : layout_(layout),
      shape_(shape),
      victims_(shape.port == 0 ? 1 : 0),
      rows_(layout.bytes / (layout.rowBytes * layout.banks)),
      linesOfRow_(layout.rowBytes / shape.burstBytes),
      random_(shape.seed) {
  if (shape.ids <= victims_)
    throw std::invalid_argument("option --ids " + std::to_string(shape.ids) + ": this pattern needs 2 at least");
}

uint64_t RowHitStorm::lineOf(uint64_t row, unsigned bank, uint64_t line) const {
  return layout_.base + (row * layout_.banks + bank) * layout_.rowBytes + line % linesOfRow_ * shape_.burstBytes;
}

unsigned RowHitStorm::nextId() {
  return victims_ + static_cast<unsigned>((read_ + written_) % (shape_.ids - victims_));
}

void RowHitStorm::offer(uint64_t cycle, AxiManager& manager) {
  if (victims_ != 0 && !victimInFlight_ && cycle >= resume_) {
    manager.read(burst(shape_, 0, lineOf(1 + row_++ % (rows_ - 1), 0, 0)));
    victimInFlight_ = true;
  }
  while (manager.waitingReads() < 2) {
    manager.read(burst(shape_, nextId(), lineOf(0, 0, read_)));
    ++read_;
  }
  while (manager.waitingWrites() < 2 && 3 * written_ < read_) {
    // So many rows that no line is written again while it may wait to be: it would be merged.
    const uint64_t row = (shape_.port * rows_ / shape_.ports + written_ / linesOfRow_) % rows_;
    manager.write(burst(shape_, nextId(), lineOf(row, 1, written_)));
    ++written_;
  }
}

void RowHitStorm::done(uint64_t cycle, const Completion& completion) {
  if (!counts(completion)) return;
  victimInFlight_ = false;
  // At once half the time, else so that it meets refreshes and drains at every point.
  const uint64_t drawn = random_() % 128;
  resume_ = cycle + (drawn < 64 ? drawn : 0);
}

bool RowHitStorm::counts(const Completion& completion) const { return completion.burst.id < victims_; }

IdleLatency::IdleLatency(const Layout& layout, const Shape& shape) : Random(layout, shape, 1, 0) {}

void IdleLatency::offer(uint64_t cycle, AxiManager& manager) {
  if (cycle >= resume_) Random::offer(cycle, manager);
}

void IdleLatency::done(uint64_t cycle, const Completion& completion) {
  Random::done(cycle, completion);
  resume_ = cycle + kPause + random_() % kPauseSpread;
}

IdleRow::IdleRow(const Layout& layout, const Shape& shape, RowState wanted, RowStateOf stateOf)
    : PerId(shape),
      layout_(layout),
      first_(partBegin(layout, shape)),
      rows_(rows(layout, shape)),
      wanted_(wanted),
      stateOf_(std::move(stateOf)) {
  if (shape.ids != 1)
    throw std::invalid_argument("option --ids " + std::to_string(shape.ids) + ": this pattern has one read in flight");
  next_.push_back(choose());
}

uint64_t IdleRow::choose() {
  if (wanted_ == RowState::kClosed) {
    bank_ = count_ % layout_.banks;
    row_ = random_() % rows_;
  } else {
    if (count_ % kRun == 0) bank_ = random_() % layout_.banks;
    if (count_ % kRun == 0 || wanted_ == RowState::kConflict) row_ = random_() % rows_;
  }
  ++count_;
  const uint64_t column = random_() % (layout_.rowBytes / shape_.burstBytes) * shape_.burstBytes;
  return first_ + (row_ * layout_.banks + bank_) * layout_.rowBytes + column;
}

void IdleRow::offer(uint64_t cycle, AxiManager& manager) {
  if (!inFlight_) {
    if (cycle < resume_) return;
    if (wanted_ == RowState::kClosed && stateOf_(next_.front()) != RowState::kClosed) {
      waited_ = true;
      return;
    }
    if (waited_) {
      waited_ = false;
      resume_ = cycle + kAfterRefresh;
      return;
    }
    PerId::offer(cycle, manager);
    inFlight_ = true;
  }
  if (manager.waitingReads() != 0) found_ = stateOf_(next_.front());
}

void IdleRow::done(uint64_t cycle, const Completion& completion) {
  PerId::done(cycle, completion);
  next_.front() = choose();
  inFlight_ = false;
  resume_ = cycle + kPause + random_() % kPauseSpread;
}

bool IdleRow::counts(const Completion&) const { return found_ == wanted_; }

std::unique_ptr<Pattern> makePattern(const std::string& name, const Layout& layout, const Shape& shape,
                                     const RowStateOf& stateOf) {
  using Make = std::function<std::unique_ptr<Pattern>()>;
  const auto random = [&](unsigned reads, unsigned writes) -> Make {
    return [&layout, &shape, reads, writes] { return std::make_unique<Random>(layout, shape, reads, writes); };
  };
  const auto idle = [&](RowState wanted) -> Make {
    return [&, wanted] { return std::make_unique<IdleRow>(layout, shape, wanted, stateOf); };
  };
  const std::vector<std::pair<std::string, Make>> patterns{
      {"sequential_read", [&] { return std::make_unique<Sequential>(layout, shape, false); }},
      {"sequential_write", [&] { return std::make_unique<Sequential>(layout, shape, true); }},
      {"alternating_runs", [&] { return std::make_unique<AlternatingRuns>(layout, shape); }},
      {"random_read", random(1, 0)},
      {"random_write", random(0, 1)},
      {"random_9to1", random(9, 1)},
      {"random_2to1", random(2, 1)},
      {"random_1to1", random(1, 1)},
      {"strided_bank", [&] { return std::make_unique<StridedBank>(layout, shape); }},
      {"busy_bank", [&] { return std::make_unique<BusyBank>(layout, shape); }},
      {"busy_bank_quarter", [&] { return std::make_unique<BusyBankQuarter>(layout, shape); }},
      {"row_hit_storm", [&] { return std::make_unique<RowHitStorm>(layout, shape); }},
      {"idle_latency", [&] { return std::make_unique<IdleLatency>(layout, shape); }},
      {"idle_row_hit", idle(RowState::kHit)},
      {"idle_row_closed", idle(RowState::kClosed)},
      {"idle_row_conflict", idle(RowState::kConflict)},
  };
  std::string known;
  for (const auto& [pattern, make] : patterns) {
    if (pattern == name) return make();
    known += (known.empty() ? "" : ", ") + pattern;
  }
  throw std::invalid_argument("pattern " + name + " is unknown; there are " + known);
}

}  // namespace weir::bench
