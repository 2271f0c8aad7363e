// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <algorithm>
#include <stdexcept>

namespace weir::traffic {

namespace {

constexpr uint64_t kPageBytes = 4096;

/// The first row of a part of memory, and its rows: a row spans all banks.
uint64_t partBytes(const Layout& layout, const Shape& shape) { return layout.bytes / shape.ports; }
uint64_t partBegin(const Layout& layout, const Shape& shape) {
  return layout.base + shape.port * partBytes(layout, shape);
}
uint64_t rows(const Layout& layout, const Shape& shape) {
  return partBytes(layout, shape) / (layout.rowBytes * layout.banks);
}

Burst burst(const Shape& shape, unsigned id, uint64_t address) {
  const unsigned beatBytes = std::min(shape.burstBytes, shape.busBytes);
  return {address, shape.burstBytes / beatBytes, beatBytes, BurstKind::kIncr, id};
}

}  // namespace

void Pattern::done(uint64_t, const Completion&) {}

Sequential::Sequential(const Layout& layout, const Shape& shape, bool writes)
    : shape_(shape), writes_(writes), first_(partBegin(layout, shape)), bytes_(partBytes(layout, shape)) {
  std::mt19937_64 random(shape.seed);
  offset_ = random() % (bytes_ / kPageBytes) * kPageBytes;
}

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

StridedBank::StridedBank(const Layout& layout, const Shape& shape)
    : PerId(shape), layout_(layout), first_(partBegin(layout, shape)), rows_(rows(layout, shape)) {}

uint64_t StridedBank::address(unsigned) { return first_ + row_++ % rows_ * layout_.rowBytes * layout_.banks; }

BusyBank::BusyBank(const Layout& layout, const Shape& shape)
    : PerId(shape), layout_(layout), first_(partBegin(layout, shape)), rows_(rows(layout, shape)) {}

uint64_t BusyBank::address(unsigned id) {
  if (id == 0) return first_ + row_++ % rows_ * layout_.rowBytes * layout_.banks;
  const uint64_t row = random_() % rows_;
  const uint64_t bank = 1 + random_() % (layout_.banks - 1);
  const uint64_t column = random_() % (layout_.rowBytes / shape_.burstBytes) * shape_.burstBytes;
  return first_ + (row * layout_.banks + bank) * layout_.rowBytes + column;
}

IdleLatency::IdleLatency(const Layout& layout, const Shape& shape) : Random(layout, shape, 1, 0) {}

void IdleLatency::offer(uint64_t cycle, AxiManager& manager) {
  if (cycle >= resume_) Random::offer(cycle, manager);
}

void IdleLatency::done(uint64_t cycle, const Completion& completion) {
  Random::done(cycle, completion);
  resume_ = cycle + 8 + random_() % 32;
}

std::unique_ptr<Pattern> makePattern(const std::string& name, const Layout& layout, const Shape& shape) {
  if (name == "sequential_read") return std::make_unique<Sequential>(layout, shape, false);
  if (name == "sequential_write") return std::make_unique<Sequential>(layout, shape, true);
  if (name == "random_read") return std::make_unique<Random>(layout, shape, 1, 0);
  if (name == "random_write") return std::make_unique<Random>(layout, shape, 0, 1);
  if (name == "random_2to1") return std::make_unique<Random>(layout, shape, 2, 1);
  if (name == "random_1to1") return std::make_unique<Random>(layout, shape, 1, 1);
  if (name == "strided_bank") return std::make_unique<StridedBank>(layout, shape);
  if (name == "busy_bank") return std::make_unique<BusyBank>(layout, shape);
  if (name == "idle_latency") return std::make_unique<IdleLatency>(layout, shape);
  throw std::invalid_argument("pattern " + name +
                              " is unknown; there are sequential_read, sequential_write, random_read, random_write, "
                              "random_2to1, random_1to1, strided_bank, busy_bank and idle_latency");
}

}  // namespace weir::traffic
