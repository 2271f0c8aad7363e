// SPDX-License-Identifier: Apache-2.0
/// @file
/// The streams of bursts of the head to head.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "manager.hpp"

namespace weir::bench {

/// Where banks and rows lie in memory, for the patterns that aim at them: address = row | rank | bank | column.
struct Layout {
  uint64_t base;      ///< bus address of the first byte
  uint64_t bytes;     ///< of the whole memory
  uint64_t rowBytes;  ///< of one row of one bank: the distance of two neighbouring banks
  unsigned banks;     ///< of all ranks: rowBytes * banks is the distance of two rows of one bank
};

/// How a bank stands towards an access: the row that it wants is open, none is, or another one is.
enum class RowState { kHit, kClosed, kConflict };

/// The state that the DRAM has an address's bank in at the moment.
using RowStateOf = std::function<RowState(uint64_t address)>;

/// What one port sends.
struct Shape {
  unsigned port;        ///< 0 to ports - 1
  unsigned ports;       ///< each has its own equal part of memory
  unsigned ids;         ///< AXI ids in use, 0 to ids - 1
  unsigned burstBytes;  ///< a power of two; bursts are aligned to it
  unsigned busBytes;
  uint64_t seed;
};

/// One port's stream of bursts.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// Give the manager what the pattern wants to send in this cycle.
  virtual void offer(uint64_t cycle, AxiManager& manager) = 0;
  virtual void done(uint64_t cycle, const Completion& completion);
  /// Whether the latency of a read that ended is what the pattern is there to measure.
  virtual bool counts(const Completion& completion) const;
};

/// `sequential_read` and `sequential_write`: burst after burst, offered as fast as the port accepts them, whatever is
/// in flight; the ids take turns. Each port's stream starts on a page of its part chosen by the seed, as an allocator's
/// buffers would lie.
class Sequential : public Pattern {
 public:
  Sequential(const Layout& layout, const Shape& shape, bool writes);
  void offer(uint64_t cycle, AxiManager& manager) override;

 private:
  const Shape shape_;
  const bool writes_;
  const uint64_t first_, bytes_;
  uint64_t offset_, count_ = 0;
};

/// A pattern in which every id has one burst in flight and begins the next as soon as it ended.
class PerId : public Pattern {
 public:
  explicit PerId(const Shape& shape);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;

 protected:
  virtual uint64_t address(unsigned id) = 0;
  virtual bool writes() { return false; }

  const Shape shape_;
  std::mt19937_64 random_;

 private:
  std::vector<unsigned> idleIds_;
};

/// `random_read`, `random_write`, `random_9to1`, `random_2to1`, `random_1to1`: uniformly random addresses of the port's
/// part; of reads + writes bursts, `writes` are writes, chosen at random.
class Random : public PerId {
 public:
  Random(const Layout& layout, const Shape& shape, unsigned reads, unsigned writes);

 protected:
  uint64_t address(unsigned id) override;
  bool writes() override;

 private:
  const uint64_t first_, bytes_;
  const unsigned readShare_, writeShare_;
};

/// What the patterns around one busy bank share: reads of its next row, and reads of random addresses of all other
/// banks.
class AroundOneBank : public PerId {
 public:
  AroundOneBank(const Layout& layout, const Shape& shape);

 protected:
  uint64_t address(unsigned id) override;
  /// Whether the next burst, of this id, reads the next row of bank 0 of rank 0.
  virtual bool busy(unsigned id) = 0;

 private:
  const Layout layout_;
  const uint64_t first_, rows_;
  uint64_t row_ = 0;
};

/// `strided_bank`: reads of the next row of bank 0 of rank 0, one burst from each.
class StridedBank : public AroundOneBank {
  using AroundOneBank::AroundOneBank;

 protected:
  bool busy(unsigned) override { return true; }
};

/// `busy_bank`: id 0 reads the next row of bank 0 of rank 0 without pause, as StridedBank does; the other ids read
/// random addresses of all other banks.
class BusyBank : public AroundOneBank {
  using AroundOneBank::AroundOneBank;

 protected:
  bool busy(unsigned id) override { return id == 0; }
};

/// `busy_bank_quarter`: every fourth burst of the port reads the next row of bank 0 of rank 0, the others random
/// addresses of all other banks; which id is free takes the next burst, so all soon wait for the busy bank.
class BusyBankQuarter : public AroundOneBank {
  using AroundOneBank::AroundOneBank;

 protected:
  bool busy(unsigned) override { return count_++ % 4 == 0; }

 private:
  uint64_t count_ = 0;
};

/// `alternating_runs`: one stream through memory, burst after burst, of which sixteen are read, the next sixteen
/// written, and so on. It starts where Sequential's does.
class AlternatingRuns : public PerId {
 public:
  AlternatingRuns(const Layout& layout, const Shape& shape);

 protected:
  uint64_t address(unsigned id) override;
  bool writes() override;

 private:
  const uint64_t first_, bytes_;
  uint64_t offset_, count_ = 0;
};

/// `row_hit_storm`: id 0 of port 0 reads the next row of bank 0 of rank 0, one read at a time, at once or up
/// to 63 cycles after the end of the one before. All other ids of all ports storm: bursts as fast as the port accepts
/// them, three reads of line after line of one other row of that bank, over and over, to a write of line after line of
/// the rank's bank 1, which takes turns with the reads but leaves their row open. A scheduler that prefers open rows
/// and does not bound it never serves the first, whose reads are the ones that count.
class RowHitStorm : public Pattern {
 public:
  RowHitStorm(const Layout& layout, const Shape& shape);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;
  bool counts(const Completion& completion) const override;

 private:
  uint64_t lineOf(uint64_t row, unsigned bank, uint64_t line) const;
  unsigned nextId();

  const Layout layout_;
  const Shape shape_;
  const unsigned victims_;  // ids of this port that do not storm
  const uint64_t rows_;
  const uint64_t linesOfRow_;
  std::mt19937_64 random_;
  bool victimInFlight_ = false;
  uint64_t resume_ = 0, row_ = 0, read_ = 0, written_ = 0;
};

/// `idle_latency`: one read at a time at random addresses, 8 to 39 cycles after the end of the one before.
class IdleLatency : public Random {
 public:
  IdleLatency(const Layout& layout, const Shape& shape);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;

 private:
  uint64_t resume_ = 0;
};

/// `idle_row_hit`, `idle_row_closed`, `idle_row_conflict`: one read at a time, as in `idle_latency`, to addresses that
/// find their bank in one state. Only those count that did find it so, by what the DRAM says while the address waits
/// for its handshake: a refresh or the controller's own row policy may have closed a row.
///
/// Hit and conflict: runs of sixteen reads in one bank at random; within a run, random lines of one row, or random
/// rows. Closed: bank after bank in turn; each is read when the DRAM has it closed, if need be after its next refresh
/// and then `kAfterRefresh` cycles later, when that is over.
class IdleRow : public PerId {
 public:
  IdleRow(const Layout& layout, const Shape& shape, RowState wanted, RowStateOf stateOf);
  void offer(uint64_t cycle, AxiManager& manager) override;
  void done(uint64_t cycle, const Completion& completion) override;
  bool counts(const Completion& completion) const override;

  static constexpr uint64_t kAfterRefresh = 96;

 protected:
  uint64_t address(unsigned id) override { return next_.at(id); }

 private:
  uint64_t choose();

  const Layout layout_;
  const uint64_t first_, rows_;
  const RowState wanted_;
  const RowStateOf stateOf_;
  std::vector<uint64_t> next_;  // a single address: that of the next read or the one in flight
  uint64_t count_ = 0, resume_ = 0, bank_ = 0, row_ = 0;
  bool inFlight_ = false, waited_ = false;
  RowState found_ = RowState::kClosed;
};

/// The pattern of a name; std::invalid_argument for an unknown one, which the message lists.
std::unique_ptr<Pattern> makePattern(const std::string& name, const Layout& layout, const Shape& shape,
                                     const RowStateOf& stateOf);

}  // namespace weir::bench
